"""Worlds, families and cases: what is asked of a system, and what may come back."""
