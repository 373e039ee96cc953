"""The reader finds another document that it may read: it is not simply shown nothing."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk, Wording
from rageval_kit.generate.words import quotation
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "sibling_found"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    wording = Wording(quotation(walk.scene, walk.pair.sibling_id))
    walk.mark("sibling")
    walk.ask("reader", walk.pair.reader_id, wording, session="sibling")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    steps = expectation.marks.get("sibling", ())
    for observation in trace.observations:
        if observation.step in steps:
            if observation.error:
                return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
            # What its own cached answer served it counts as shown.
            seen = observation.seen.get(Stage.RETRIEVE) or observation.seen.get(Stage.CACHE)
            if seen and expectation.roles.get("sibling", frozenset()) & set(seen.ids):
                return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="sibling_not_found")
