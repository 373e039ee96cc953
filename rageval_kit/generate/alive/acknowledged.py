"""The target confirmed every change of the script."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "acknowledged"
IS_PROBE = True  # shows that the test could fire, not that a reader was served


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the executor records what the target said to each change."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del expectation, args, aids
    for observation in trace.observations:
        if observation.acknowledged is False:
            detail = f" ({observation.detail[:200]})" if observation.detail else ""
            return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"not_acknowledged{detail}")
    return CheckResult(NAME, Outcome.HELD)
