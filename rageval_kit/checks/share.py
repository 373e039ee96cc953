"""Of all questions, how many brought one and the same document? All cases judge together."""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Exact, Outcome, Together

TAKES: Mapping[str, tuple[object, ...] | None] = {"of": ("hub",), "at_most": None, "within": None}
WANTS = ("of", "at_most")
NAME = "share"
LISTS = (Stage.RETRIEVE_SPARSE, Stage.RETRIEVE_DENSE, Stage.RETRIEVE)


def together(
    args: Mapping[str, object], counts: Mapping[str, tuple[int, int]], exact: Exact
) -> Together | None:
    """Violated where the share is surely above the limit; unobserved where it only seems so."""
    return Together.above(_told(args), float(str(args["at_most"])), counts, exact)


def _told(args: Mapping[str, object]) -> str:
    """What each case tells."""
    return f"{args['of']}_returned"


def check(
    args: Mapping[str, object], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """One case says only whether the document came among the first `within` (else k) of a list.

    The list is the retriever's, or that of one of its arms. One question that brings the document
    is no breach: it may well answer a question or two. An empty list says nothing.
    """
    role = expectation.roles.get(str(args["of"]), frozenset())
    depth = int(str(args.get("within", aids.k)))
    lists = [
        observation.seen[tap].ids[:depth]
        for observation in trace.observations
        for tap in LISTS
        if observation.role == "reader" and tap in observation.seen
    ]
    if not any(lists):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="nothing_listed")
    returned = any(role.intersection(listed) for listed in lists)
    return CheckResult(NAME, Outcome.HELD, told={_told(args): returned})
