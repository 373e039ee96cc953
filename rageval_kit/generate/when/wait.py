"""One service level of the family passes."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("level",)}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.wait(walk.level_s)
