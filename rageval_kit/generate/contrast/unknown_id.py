"""With a handle that does not exist."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: each step that opens a handle opens an unknown one after it."""
    del walk, args
