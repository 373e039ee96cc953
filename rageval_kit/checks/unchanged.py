"""Does a forbidden handle look just like one that does not exist?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": None}
NAME = "unchanged"
LEVELS = ("status", "body", "size")


def _level(seen: Seen, level: str) -> object:
    if level == "status":
        return seen.status
    return seen.texts if level == "body" else sum(len(text) for text in seen.texts)


def check(
    args: Mapping[str, list[str]], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where a named level differs between a denied handle and an unknown one."""
    del aids
    levels = args.get("is", list(LEVELS))
    by_step: dict[int, Observation] = {o.step: o for o in trace.observations}
    findings, compared = [], 0
    opened = expectation.marks.get("opened", ())
    contrast = expectation.marks.get("contrast", ())
    for step, other in zip(opened, contrast, strict=False):
        denied, unknown = by_step.get(step), by_step.get(other)
        if denied is None or unknown is None or denied.error or unknown.error:
            continue
        left, right = denied.seen.get(Stage.CITATION), unknown.seen.get(Stage.CITATION)
        if left is None or right is None or expectation.steps[step, 0].target_allowed:
            continue
        compared += 1
        for level in levels:
            if _level(left, level) != _level(right, level):
                findings.append(
                    Finding(
                        NAME,
                        Stage.CITATION,
                        step,
                        denied.principal_id,
                        next(iter(sorted(expectation.roles["target"]))),
                        evidence=f"{level} differs from that of an unknown handle",
                    )
                )
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if compared else Outcome.UNOBSERVED)
