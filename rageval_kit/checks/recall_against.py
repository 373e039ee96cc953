"""What share of an exact scan's best results does the index find? All cases judge together."""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Exact, Outcome, Together

TAKES: Mapping[str, tuple[object, ...] | None] = {
    "is": ("exact",),
    "least": None,
    "at_most": None,
}
WANTS = ("is", "least", "at_most")
NAME = "recall_against"
LISTS = (Stage.RETRIEVE_SPARSE, Stage.RETRIEVE_DENSE, Stage.RETRIEVE)


def together(
    args: Mapping[str, object], counts: Mapping[str, tuple[int, int]], exact: Exact
) -> Together | None:
    """Violated where surely more than `at_most` of the readers found less than `least`."""
    said = f"recall below {args['least']} of an exact scan"
    return Together.above(_told(args), float(str(args["at_most"])), counts, exact, said)


def _told(args: Mapping[str, object]) -> str:
    """What each case tells."""
    return f"recall_below_{args['least']}"


def check(
    args: Mapping[str, object], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """One case says whether some list holds less than `least` of the exact scan's first k.

    Where the scan returns nothing, or no list shows for both, nothing can be said. One case that
    finds little is a near miss of the index, not a collapse.
    """
    lists = {
        role: {tap: o.seen[tap].ids for tap in LISTS if tap in o.seen}
        for role in ("reader", "reference")
        for o in trace.observations
        if o.role == role and o.step in expectation.marks.get(f"compared_{role}", ())
    }
    found, exact = lists.get("reader", {}), lists.get("reference", {})
    recalls = [
        len(set(found[tap][: aids.k]) & set(exact[tap][: aids.k])) / len(set(exact[tap][: aids.k]))
        for tap in LISTS
        if tap in found and exact.get(tap)
    ]
    if not recalls or not exact.get(Stage.RETRIEVE):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="nothing_to_compare_with")
    below = min(recalls) < float(str(args["least"]))
    return CheckResult(NAME, Outcome.HELD, told={_told(args): below})
