"""With the world from which what the reader may not read is left out, or the target alone."""

from collections.abc import Mapping

from rageval_kit.generate.cells import OTHER_WORLD
from rageval_kit.generate.other_worlds import compare, without_hidden, without_target
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("everything_hidden", "target")}


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({OTHER_WORLD})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    alone = args.get("is") == "target"
    compare(walk, without_target(walk) if alone else without_hidden(walk))
