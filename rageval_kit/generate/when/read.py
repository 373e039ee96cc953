"""A sink is read by somebody who may not read the target."""

from collections.abc import Mapping

from rageval_kit.generate.cells import AUDIT
from rageval_kit.generate.walk import Walk
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "sink": ("log", "trace", "metric_labels", "error_report", AUDIT),
    "as": ("reader", "operator"),
}
NEEDS = frozenset({Power.RESTORE})


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    return frozenset({AUDIT} if args.get("sink") == AUDIT else ())


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    walk.mark("read")
    walk.read("operator", walk.pair.reader_id, args.get("sink", "log"))
