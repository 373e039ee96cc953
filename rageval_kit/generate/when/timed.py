"""The reader opens a forbidden handle, and handles that do not exist, many times in turn."""

from collections.abc import Mapping

from rageval_kit.generate.handles import handle_of
from rageval_kit.generate.walk import Walk
from rageval_kit.records.streams import python_stream

TAKES: Mapping[str, tuple[object, ...] | None] = {"pairs": None}
WANTS = ("pairs",)
KINDS = ("forbidden", "unknown", "unknown_too")


def abilities(args: Mapping[str, object]) -> frozenset[str]:
    del args
    return frozenset({"open"})


def emit(walk: Walk, args: Mapping[str, object]) -> None:
    """In an order drawn anew each time; a handle that does not exist is as long as the real one.

    Two kinds of unknown handles: what sets these two apart is noise.
    """
    reader, handle = walk.pair.reader_id, handle_of(walk, {})
    order = python_stream(walk.scene.seed, "timed", reader, handle)
    for number in range(int(str(args["pairs"]))):
        turns = list(KINDS)
        order.shuffle(turns)
        for kind in turns:
            walk.mark(kind)
            is_real = kind == KINDS[0]
            walk.resolve("reader", reader, handle if is_real else _unknown(handle, number, kind))


def _unknown(handle: str, number: int, kind: str) -> str:
    """No handle of this world: a real one with its end written over."""
    tail = f"{number}{'yz'[kind == KINDS[1]]}"
    return f"{handle[: -len(tail)]}{tail}" if len(handle) > len(tail) else f"{handle}{tail}"
