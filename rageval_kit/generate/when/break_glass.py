"""An administrator opens the target in an emergency, though no rule lets them read it."""

from collections.abc import Mapping

from rageval_kit.generate.cells import door
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}
DOOR = "break_glass"


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({door(DOOR)})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    pair = walk.pair
    walk.mark("looked")
    walk.look("reader", pair.reader_id, DOOR, min(walk.ids_of(pair.chunk_id)))
