"""Which payloads does a user's file hold? Read below intake, where the word `payload` needs it."""

from rageval_kit.generate.payload.library import read_payloads

__all__ = ["read_payloads"]
