"""The link that went with the answer opened the target for its reader, while the right lasted."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "link_opened"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script follows it."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    for observation in trace.observations:
        if observation.step not in expectation.marks.get("followed", ()):
            continue
        if observation.error:
            return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
        seen = observation.seen.get(Stage.CITATION)
        if seen and expectation.roles["target"] & set(seen.ids):
            return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="no link opened the target")
