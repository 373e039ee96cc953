"""The reader found the target before the event that denies it."""

from collections.abc import Mapping

from rageval_kit.generate.living import found_at
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "same_reader_before"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script's first question is the one meant."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    # A question is judged by what it retrieved, an opening by what it opened.
    taps = (Stage.RETRIEVE, Stage.CITATION)
    return found_at(NAME, expectation, trace, "before", taps, "not_found_before")
