"""The reader first asks about a time at which the target is in force: the answer may be kept."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing where the pair knows no such time."""
    del args
    pair = walk.pair
    if pair.living_at is not None:
        walk.ask("warming", pair.reader_id, walk.about(pair.living_at), session="in force")
