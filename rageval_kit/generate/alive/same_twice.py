"""The same world shown twice looks the same: what differs already there tells nothing."""

from collections.abc import Mapping, Sequence

from rageval_kit.detect.levels import LEVELS, differing, shown
from rageval_kit.generate.cells import OTHER_WORLD
from rageval_kit.generate.other_worlds import SAME, compare
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": LEVELS}
WANTS = ("is",)
NAME = "same_twice"
IS_PROBE = True  # shows that a difference would mean something, not that a reader was served


def abilities(args: Mapping[str, str]) -> frozenset[str]:
    del args
    return frozenset({OTHER_WORLD})


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    compare(walk, SAME, mark="again", history=True)


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, Sequence[str]], aids: Aids
) -> CheckResult:
    """Held where every named level that both showed is equal."""
    by_step = {observation.step: observation for observation in trace.observations}
    marks, spoke = expectation.marks, False
    for mine, other in zip(marks.get("compared", ()), marks.get("again", ()), strict=False):
        if mine not in by_step or other not in by_step:
            continue
        for level in args["is"]:
            left, right = (
                shown(by_step[n], level, aids.k, aids.stages, expectation.values)
                for n in (mine, other)
            )
            for _, differs in differing(left, right, level):
                spoke = True
                if differs:
                    return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"noise {level}")
    reason = "" if spoke else "shown_once"
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED, reason=reason)
