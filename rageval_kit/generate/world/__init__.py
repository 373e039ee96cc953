"""The words of `world`: what must exist before a case can be made."""
