"""Whoever asked first, and might, found the target: something was there to be kept."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "warmed"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script asks."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    steps = expectation.marks.get("warm", ())
    for observation in trace.observations:
        if observation.step not in steps:
            continue
        if observation.error:
            return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
        seen = observation.seen.get(Stage.RETRIEVE)
        if seen and expectation.roles["target"] & set(seen.ids):
            return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="nothing_was_kept")
