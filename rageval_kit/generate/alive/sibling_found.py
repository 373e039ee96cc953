"""The reader finds another document that it may read: it is not simply shown nothing.

`in: script`: by its own question it found the version that was to be found.
"""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"in": ("script",)}
NAME = "sibling_found"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """Where nothing is in force at the time asked, the same is asked of a time when it is."""
    pair = walk.pair
    if args.get("in") == "script":
        if pair.sibling_id == pair.chunk_id:
            walk.mark("sibling")
            walk.ask("reader", pair.reader_id, walk.about(pair.living_at), session="sibling")
        return
    wording = Wording(quotation(walk.scene, walk.pair.sibling_id))
    walk.mark("sibling")
    walk.ask("reader", walk.pair.reader_id, wording, session="sibling")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """Held by the last question where the script asked more than once.

    Where nobody is denied, what must be found is the target itself.
    """
    del args, aids
    roles = expectation.roles
    steps = expectation.marks.get("sibling") or expectation.marks.get("question", ())[-1:]
    for observation in trace.observations:
        if observation.step in steps:
            if observation.error:
                return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
            # What its own cached answer served it counts as shown.
            seen = observation.seen.get(Stage.RETRIEVE) or observation.seen.get(Stage.CACHE)
            if seen and roles.get("sibling", roles["target"]) & set(seen.ids):
                return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="sibling_not_found")
