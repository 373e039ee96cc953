"""Did the reader get as many results as there were matching documents it may see?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"of": ("relevant_visible",)}
NAME = "found"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated when fewer than min(k, relevant and visible) readable results came back.

    Which of the readable documents a retriever prefers is its ranking, not starvation.
    """
    del args
    relevant = expectation.roles.get("relevant", frozenset())
    wanted = min(aids.k, len(relevant))
    for observation in trace.observations:
        seen = observation.seen.get(Stage.RETRIEVE)
        if observation.role != "reader" or seen is None:
            continue
        permitted = expectation.steps[observation.step, observation.part].permitted
        got = len({item for item in seen.ids if item in permitted})
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
