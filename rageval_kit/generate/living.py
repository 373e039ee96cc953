"""Was the target found at one of the steps that a script marked?"""

from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CheckResult, Outcome


def found_at(
    name: str, expectation: Expectation, trace: Trace, mark: str, taps: tuple[Stage, ...], not_: str
) -> CheckResult:
    """Held by the first of the steps that shows it, at the first of the taps that speaks.

    `not_`: the reason given where none does.
    """
    steps = expectation.marks.get(mark, ())
    for observation in trace.observations:
        if observation.step not in steps:
            continue
        if observation.error:
            return CheckResult(name, Outcome.FAILED, reason=observation.error)
        seen = next((observation.seen[tap] for tap in taps if tap in observation.seen), None)
        if seen and expectation.roles["target"] & set(seen.ids):
            return CheckResult(name, Outcome.HELD)
    return CheckResult(name, Outcome.UNOBSERVED, reason=not_)
