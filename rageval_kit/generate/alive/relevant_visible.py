"""There was something to be found: the monitor's list of what the reader may see is not empty."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[object, ...] | None] = {"is": None}
WANTS = ("is",)
NAME = "relevant_visible"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the crowd is counted when the pair is made."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del trace, aids
    found = len(expectation.roles.get("relevant", ()))
    enough = found >= int(args["is"])
    return CheckResult(
        NAME,
        Outcome.HELD if enough else Outcome.UNOBSERVED,
        reason="" if enough else "too_few_visible",
    )
