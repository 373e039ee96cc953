"""The link that went with the answer opened the target for its reader, while the right lasted."""

from collections.abc import Mapping

from rageval_kit.generate.living import found_at
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "link_opened"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Nothing: the script follows it."""
    del walk, args


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    taps = (Stage.CITATION,)
    return found_at(NAME, expectation, trace, "followed", taps, "no link opened the target")
