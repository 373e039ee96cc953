"""Somebody who may read asks first, so that what is kept is there when the reader asks.

The reader, where an event then ends the right to read; else the twin.
"""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    pair = walk.pair
    walk.mark("warm")
    if not pair.event:
        walk.ask("twin", pair.twin_id, walk.wording)
        return
    walk.ask("reader", pair.reader_id, walk.wording)
    walk.happens(pair.event)
    walk.wait(walk.level_s)
