"""One service level of the family passes."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("level",)}
NEEDS = frozenset({Power.CLOCK, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.wait(walk.level_s)
