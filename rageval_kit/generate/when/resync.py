"""The connector runs again over its source: what has been deleted since must not come back."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import Resync
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.DISTURB, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.apply((Resync(walk.world.clock),))
