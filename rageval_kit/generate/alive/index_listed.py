"""The index was listed, and holds something: an empty list would agree with an empty source."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "index_listed"
IS_PROBE = True  # shows that the test could fire, not that a reader was served


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script lists the index."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    steps = expectation.marks.get("inventory", ())
    listed = [o for o in trace.observations if o.step in steps]
    held = bool(listed) and all(one.inventory for one in listed)
    return CheckResult(
        NAME, Outcome.HELD if held else Outcome.UNOBSERVED, reason="" if held else "index_empty"
    )
