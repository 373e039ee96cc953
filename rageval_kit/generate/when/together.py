"""Several readers ask at once: denied readers beside those who may read what they ask for."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[object, ...] | None] = {"in_flight": (16, 64)}
NEEDS = frozenset({Power.CONCURRENT})


def emit(walk: Walk, args: Mapping[str, object]) -> None:
    in_flight = int(str(args.get("in_flight", 16)))
    readers: list[tuple[str, str, Wording]] = []
    pairs = [(walk.pair, walk.wording), *walk.more]
    while len(readers) < in_flight:
        for pair, wording in pairs:
            readers += [("twin", pair.twin_id, wording), ("reader", pair.reader_id, wording)]
    walk.mark("together")
    walk.ask_together(readers[:in_flight], in_flight)
