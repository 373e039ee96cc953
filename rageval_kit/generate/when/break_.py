"""A part of the target fails in a named way, until it is mended."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.changes import Break
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "part": ("acl_service", "replica"),
    "how": ("timeout", "error", "stale_token", "empty_reply", "lag"),
}
WANTS = ("part", "how")
NEEDS = frozenset({Power.DISTURB, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """From here on the target may refuse what it is asked; to show more is as wrong as ever."""
    walk.apply((Break(args["part"], args["how"]),))
    walk.disturbed = True
