"""Asked about a time when the target is in force, the system finds it: it is only held back."""

from collections.abc import Mapping

from rageval_kit.generate.living import found_at
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "found_when_in_force"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    walk.mark("in_force")
    then = walk.about(walk.pair.living_at)
    walk.ask("reader", walk.pair.reader_id, then, session="in_force")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    taps = (Stage.RETRIEVE, Stage.CACHE)
    return found_at(NAME, expectation, trace, "in_force", taps, "not_found_when_in_force")
