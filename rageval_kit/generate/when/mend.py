"""The part that failed works again."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import Mend
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("acl_service", "replica")}
WANTS = ("is",)
NEEDS = frozenset({Power.DISTURB, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    walk.apply((Mend(args["is"]),))
    walk.disturbed = False
