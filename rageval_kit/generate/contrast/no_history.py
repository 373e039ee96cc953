"""With the same world in which nobody asked or opened anything before the reader did."""

from collections.abc import Mapping

from rageval_kit.generate.cells import OTHER_WORLD
from rageval_kit.generate.other_worlds import SAME, compare
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Wait
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.RESTORE})


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({OTHER_WORLD})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """What others said in their own cases is a history too: the script must run by itself."""
    del args
    walk.steps.append(Wait(0.0, walk.world.clock))
    compare(walk, SAME)
