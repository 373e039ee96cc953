"""The index is put back from an old backup and catches up: what was deleted must stay deleted."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import RestoreBackup
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.DISTURB, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.apply((RestoreBackup(walk.world.clock),))
