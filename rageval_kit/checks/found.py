"""Did the reader get as many of the documents it may see as there were to get?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"of": ("relevant_visible",)}
NAME = "found"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated when fewer than min(k, relevant and visible) relevant results came back."""
    del args
    relevant = expectation.roles.get("relevant", frozenset())
    wanted = min(aids.k, len(relevant))
    for observation in trace.observations:
        seen = observation.seen.get(Stage.RETRIEVE)
        if observation.role != "reader" or seen is None:
            continue
        got = len(relevant & set(seen.ids))
        if got >= wanted:
            return CheckResult(NAME, Outcome.HELD)
        finding = Finding(
            NAME,
            Stage.RETRIEVE,
            observation.step,
            observation.principal_id,
            next(iter(sorted(expectation.roles["target"]))),
            evidence=f"{got} of {wanted} readable results came back",
        )
        return CheckResult(NAME, Outcome.VIOLATED, (finding,))
    return CheckResult(NAME, Outcome.UNOBSERVED)
