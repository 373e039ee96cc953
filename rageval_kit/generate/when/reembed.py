"""The embedding model is replaced: every vector is to be made anew."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import Reembed
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NEEDS = frozenset({Power.MUTATE, Power.RESTORE})
MODEL = "kit-next-model"


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.model = MODEL
    walk.happens((Reembed(MODEL, walk.world.clock),))
