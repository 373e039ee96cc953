"""Did any tap show an id that its reader was not entitled to at that step?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace, observed
from rageval_kit.records.target import FACING
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "forbidden_document"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by one forbidden id; inside the service level after the event it is a lag.

    Looked at are the family's taps, and whatever a reader is shown. An id that the snapshot does
    not know can be neither allowed nor forbidden: at a tap of the family's, the check fails.
    """
    del args
    leaks: list[Finding] = []
    lags: list[Finding] = []
    unknown: set[str] = set()
    spoke = False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        if expected is None:
            continue
        spoke |= bool(observation.error) and expectation.replied(observation)  # turned away
        for stage in observed(aids.stages | FACING, observation):
            own = stage in aids.stages
            spoke |= own and not observation.error
            for item in observation.seen[stage].ids:
                if item in expected.permitted:
                    continue
                if not expected.permitted.knows(item):
                    unknown |= {item} if own else set()
                    continue
                finding = Finding(
                    NAME,
                    stage,
                    observation.step,
                    observation.principal_id,
                    item,
                    lag_s=expectation.lag_s(expected, item),
                )
                (leaks if finding.lag_s is None else lags).append(finding)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(leaks), lags=tuple(lags))
    if unknown:
        example = min(unknown)
        return CheckResult(
            NAME,
            Outcome.FAILED,
            reason=f"id not in the snapshot: {example[:80]!r} ({len(unknown)} such)",
            lags=tuple(lags),
        )
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED, lags=tuple(lags))
