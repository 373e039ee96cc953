"""The reader finds another document that it may read: it is not simply shown nothing."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk, Wording
from rageval_kit.generate.words import telling_sentence, without_marks
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "sibling_found"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    text = without_marks(walk.scene.places[walk.pair.sibling_id].chunk.text)
    walk.mark("sibling")
    walk.ask("reader", walk.pair.reader_id, Wording(telling_sentence(text)), session="sibling")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del args, aids
    steps = expectation.marks.get("sibling", ())
    for observation in trace.observations:
        if observation.step in steps:
            if observation.error:
                return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
            seen = observation.seen.get(Stage.RETRIEVE)
            if seen and expectation.roles.get("sibling", frozenset()) & set(seen.ids):
                return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="sibling_not_found")
