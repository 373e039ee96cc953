"""Does a count tell of more documents than the reader may see?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "count_at_most_visible"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated above the monitor's count; below it is the twin's business."""
    del args, aids
    findings, spoke = [], False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        seen = observation.seen.get(Stage.SUGGEST)
        if expected is None or expected.visible_count is None or seen is None:
            continue
        if seen.count is None:
            continue
        spoke = True
        if seen.count > expected.visible_count:
            findings.append(
                Finding(
                    NAME,
                    Stage.SUGGEST,
                    observation.step,
                    observation.principal_id,
                    next(iter(sorted(expectation.roles["target"]))),
                    evidence=f"counted {seen.count}, may see {expected.visible_count}",
                )
            )
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)
