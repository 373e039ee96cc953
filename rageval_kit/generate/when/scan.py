"""The reader asks twice: the index, and a scan of all that it may read."""

from collections.abc import Mapping

from rageval_kit.generate.cells import EXACT
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({EXACT})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    for role, exact in (("reader", False), ("reference", True)):
        walk.mark(f"compared_{role}")
        walk.ask(role, walk.pair.reader_id, walk.wording, session=role, exact=exact)
