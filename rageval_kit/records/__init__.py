"""The frozen records that travel between stages, and the protocols of a system under test."""
