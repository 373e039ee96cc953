"""Whoever asked first, and might, found the target: something was there to be kept."""

from collections.abc import Mapping

from rageval_kit.generate.living import found_at
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "warmed"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script asks."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    taps = (Stage.RETRIEVE,)
    return found_at(NAME, expectation, trace, "warm", taps, "nothing_was_kept")
