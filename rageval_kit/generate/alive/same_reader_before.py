"""The reader found the target before the event that denies it."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "same_reader_before"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script's first question is the one meant."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    steps = expectation.marks.get("before", ())
    for observation in trace.observations:
        if observation.step in steps:
            if observation.error:
                return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
            # A question is judged by what it retrieved, an opening by what it opened.
            seen = observation.seen.get(Stage.RETRIEVE) or observation.seen.get(Stage.CITATION)
            if seen and expectation.roles["target"] & set(seen.ids):
                return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="not_found_before")
