"""The index is listed, to be held against what its source holds by then."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.mark("inventory")
    walk.inventory()
