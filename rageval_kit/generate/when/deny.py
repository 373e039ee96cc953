"""The event happens by which the reader comes to be denied."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.MUTATE, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.happens(walk.pair.event)
