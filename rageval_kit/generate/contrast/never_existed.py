"""With the world in which what the script deletes never was."""

from collections.abc import Mapping

from rageval_kit.generate.cells import OTHER_WORLD
from rageval_kit.generate.other_worlds import compare, without_target
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({OTHER_WORLD})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """What was asked since the deletion is asked there, at the same time of day."""
    del args
    compare(walk, without_target(walk))
