"""The part under test showed a wanted effect once: a cache hit for its owner, lines in a log."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk, Wording
from rageval_kit.generate.words import quotation
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": ("cache", "log")}
WANTS = ("is",)
NAME = "live"
IS_PROBE = True  # shows that the test could fire, not that a reader was served


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """For a cache: somebody asks twice in a row for what it may read, and the second is a hit."""
    if args["is"] == "cache":
        who, wording = walk.pair.twin_id, walk.wording
        if not who:
            who = walk.pair.reader_id
            wording = Wording(quotation(walk.scene, walk.pair.sibling_id))
        for _ in range(2):
            walk.mark("live")
            walk.ask("owner", who, wording, session="owner")


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    del aids
    if args["is"] == "log":
        lines = [
            text
            for observation in trace.observations
            if observation.step in expectation.marks.get("read", ())
            for text in (observation.seen[Stage.LOG].texts if Stage.LOG in observation.seen else ())
        ]
        held = any(line.strip() for line in lines)
        return CheckResult(
            NAME, Outcome.HELD if held else Outcome.UNOBSERVED, reason="" if held else "log_empty"
        )
    last = max(expectation.marks.get("live", (-1,)))
    for observation in trace.observations:
        if observation.step == last and Stage.CACHE in observation.seen:
            hit = bool(observation.seen[Stage.CACHE].ids)
            return CheckResult(
                NAME,
                Outcome.HELD if hit else Outcome.UNOBSERVED,
                reason="" if hit else "cache_never_hit",
            )
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="cache_silent", silent=(Stage.CACHE,))
