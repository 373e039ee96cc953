"""What the exhibit holds ready is published: a document, or a version of one."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": None}
NEEDS = frozenset({Power.MUTATE, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """The exhibit's event of that name, `publish` where none is given."""
    exhibit = walk.pair.exhibit
    walk.apply(exhibit.events.get(args.get("is", "publish"), ()) if exhibit else ())
