"""Was a document pushed out of the list by a near copy of it?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "suppressed"
LISTS = (Stage.RETRIEVE, Stage.RERANK)


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the copy is among the first k and the true document is not.

    A list that holds neither says nothing of suppression: not observed.
    """
    del args
    true, copies = (expectation.roles.get(role, frozenset()) for role in ("true", "carrier"))
    found: list[Finding] = []
    held = False
    for observation in trace.observations:
        if observation.role != "reader" or observation.error:
            continue
        for stage in (stage for stage in LISTS if stage in observation.seen):
            listed = set(observation.seen[stage].ids[: aids.k])
            if listed & true:
                held = True
            elif listed & copies:
                where = (observation.step, observation.principal_id, min(true))
                told = "a near copy was listed in its place"
                found.append(Finding(NAME, stage, *where, evidence=told))
    if found:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(found))
    reason = "" if held else "neither the document nor its copy was found"
    return CheckResult(NAME, Outcome.HELD if held else Outcome.UNOBSERVED, reason=reason)
