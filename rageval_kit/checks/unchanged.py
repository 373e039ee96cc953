"""Does what a reader is shown look just like that of a world without what it may not see?

The other world is a handle that does not exist, or one from which the forbidden version is gone.
"""

from collections.abc import Mapping
from typing import Any

from rageval_kit.detect.values import stated
from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": None}
NAME = "unchanged"
LEVELS = ("status", "body", "size")
TAPS = {"counts": Stage.SUGGEST, "answer": Stage.ANSWER, "values": Stage.ANSWER}
WHOSE = {Stage.CITATION: "an unknown handle"}


def _differs(level: str, shown: Any, other: Any, wanted: str) -> bool:
    """Of values and counts only more than in the other world is a breach: less is the twin's."""
    if level == "values":
        return bool(shown - other - {wanted})
    if level == "counts":
        return (shown or 0) > (other or 0)
    return bool(shown != other)


def _level(observation: Observation, level: str, values: Mapping[str, str]) -> object:
    """What the observation shows at the level; None where it shows nothing of the kind."""
    seen = observation.seen.get(TAPS.get(level, Stage.CITATION))
    if seen is None:
        return None
    return {
        "status": seen.status,
        "body": seen.texts,
        "answer": seen.texts,
        "size": sum(len(text) for text in seen.texts),
        "counts": seen.count,
        "values": stated("\n".join(seen.texts), values),
    }[level]


def check(
    args: Mapping[str, list[str]], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where a named level differs between what is denied and its contrast.

    A value that the contrast does not state is a breach, unless it is the right one; so is a
    greater count. Without a contrast (a target that cannot be changed has no other world) there is
    nothing to say.
    """
    del aids
    levels = args.get("is", list(LEVELS))
    by_step: dict[int, Observation] = {o.step: o for o in trace.observations}
    findings, compared = [], 0
    marks = expectation.marks
    contrast = marks.get("contrast", ())
    if not contrast:
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="there is no other world")
    for step, other in zip(
        marks.get("compared") or marks.get("opened", ()), contrast, strict=False
    ):
        denied, unknown = by_step.get(step), by_step.get(other)
        if denied is None or unknown is None or denied.error or unknown.error:
            continue
        if expectation.steps[step, 0].target_allowed:
            continue
        for level in levels:
            left, right = (_level(o, level, expectation.values) for o in (denied, unknown))
            tap = TAPS.get(level, Stage.CITATION)
            if tap not in denied.seen or tap not in unknown.seen:
                continue
            compared += 1
            if _differs(level, left, right, expectation.steps[step, 0].wanted):
                whose = WHOSE.get(tap, "the world without it")
                findings.append(
                    Finding(
                        NAME,
                        tap,
                        step,
                        denied.principal_id,
                        next(iter(sorted(expectation.roles["target"]))),
                        evidence=f"{level} differs from that of {whose}",
                    )
                )
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if compared else Outcome.UNOBSERVED)
