"""Who may read what, when."""

from rageval_kit.access.monitor import CONDITIONS, Monitor

__all__ = ["CONDITIONS", "Monitor"]
