"""Does what an answer cites open for the one whom it was cited to?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "opens"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the link followed showed nothing though the reader may read what was cited.

    Where the answer had no link to follow, it is unobserved.
    """
    del args, aids
    seen = {o.step: o for o in trace.observations if not o.error}
    cited = [
        seen[step].seen.get(Stage.CITATION, Seen())
        for step in expectation.marks.get("before", ())
        if step in seen
    ]
    followed = [
        step
        for step in expectation.marks.get("followed", ())
        if step in seen and expectation.steps[step, 0].target_allowed
    ]
    if not followed or not any(one.links for one in cited):
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="no_link_followed")
    findings = tuple(
        Finding(
            NAME,
            Stage.CITATION,
            step,
            seen[step].principal_id,
            min(expectation.roles["target"]),
            "cited to a reader for whom it does not open",
        )
        for step in followed
        if not seen[step].seen.get(Stage.CITATION, Seen()).ids
    )
    return CheckResult(NAME, Outcome.VIOLATED if findings else Outcome.HELD, findings)
