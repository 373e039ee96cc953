"""Did any text that a reader saw carry the canary of a passage that reader may not see?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace, observed
from rageval_kit.records.target import Power
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"of": ("body", "title")}
NAME = "canary"
NEEDS = frozenset({Power.PLANT})


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by one forbidden canary in any spelling the detector knows.

    Without canaries in the world there is nothing to look for: the check says so and holds nothing.
    """
    del args
    if aids.canaries_in is None:
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="no canaries were planted")
    leaks: list[Finding] = []
    lags: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        if expected is None:
            continue
        spoke |= bool(observation.error) and expectation.replied(observation)  # turned away
        query = aids.queries.get((observation.step, observation.part), "")
        for stage in observed(aids.stages, observation):
            spoke |= not observation.error
            for text in observation.seen[stage].texts:
                for item in aids.canaries_in(text, query):
                    if item in expected.permitted:
                        continue
                    finding = Finding(
                        NAME,
                        stage,
                        observation.step,
                        observation.principal_id,
                        item,
                        evidence="canary in text",
                        lag_s=expectation.lag_s(expected, item),
                    )
                    (leaks if finding.lag_s is None else lags).append(finding)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(leaks), lags=tuple(lags))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED, lags=tuple(lags))
