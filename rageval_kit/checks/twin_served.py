"""Was somebody who may read told that there is nothing, because somebody who may not had asked?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "twin_served"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the twin found the target before the denied reader asked, and not after.

    Every tap that shows what the twin was given counts: a list may be whole and the answer empty.
    """
    del args, aids
    target = expectation.roles["target"]
    asked = [o for o in trace.observations if o.role == "twin" and not o.error]
    told = [o.step for o in trace.observations if o.role == "reader" and not o.error]
    before = [o for o in asked if told and o.step < min(told)]
    after = [o for o in asked if told and o.step > max(told)]
    if not before or not after:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="the twin did not ask twice")
    shown = [stage for stage in _TAPS if all(target & _ids(o, stage) for o in before)]
    if not shown:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="not_found_before")
    missing = [
        Finding(NAME, stage, o.step, o.principal_id, min(target), "found before, not after")
        for o in after
        for stage in shown
        if not target & _ids(o, stage)
    ]
    if missing:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(missing))
    return CheckResult(NAME, Outcome.HELD)


_TAPS = (Stage.RETRIEVE, Stage.CONTEXT, Stage.CITATION)


def _ids(observation: Observation, stage: Stage) -> frozenset[str]:
    """What the tap showed; of an answer kept from before, what it was made from stands for it."""
    seen = observation.seen
    if stage in seen:
        return frozenset(seen[stage].ids)
    return frozenset(seen[Stage.CACHE].ids) if Stage.CACHE in seen else frozenset()
