"""What the exhibit holds ready is deleted: from then on nobody may be shown it."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": None, "of": ("all",)}
NEEDS = frozenset({Power.MUTATE, Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Its event of that name, `delete` where none is given; with `of: all` each exhibit's."""
    exhibit = walk.pair.exhibit
    exhibits = walk.scene.exhibits if args.get("of") == "all" else [exhibit] if exhibit else []
    named = args.get("is", "delete")
    walk.happens([change for one in exhibits for change in one.events.get(named, ())])
