"""The part under test showed a wanted effect once: a cache hit, lines in a log, a tool called."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("cache", "log", "tool"),
    "question": None,
}
WANTS = ("is",)
NAME = "live"
IS_PROBE = True  # shows that the test could fire, not that a reader was served
NEEDS_A_TOOL = {"en": "What is today's date?", "zh": "今天是几号？"}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """For a cache: somebody asks twice in a row for what it may read, and the second is a hit.

    For a tool: the reader asks what only a tool can know, today's date if no `question` is given.
    """
    if args["is"] == "cache":
        who, wording = walk.pair.twin_id or walk.pair.reader_id, walk.wording
        if not walk.pair.twin_id and walk.pair.sibling_id:
            wording = Wording(quotation(walk.scene, walk.pair.sibling_id))
        for _ in range(2):
            walk.mark("live")
            walk.ask("owner", who, wording, session="owner")
    elif args["is"] == "tool":
        lang = walk.pair.exhibit.lang if walk.pair.exhibit else "en"
        question = args.get("question", NEEDS_A_TOOL.get(lang, NEEDS_A_TOOL["en"]))
        walk.mark("live")
        walk.ask("owner", walk.pair.reader_id, Wording(question), session="owner")


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
    tap, never = (
        (Stage.TOOL, "tool_never_called")
        if args["is"] == "tool"
        else (Stage.CACHE, "cache_never_hit")
    )
    last = max(expectation.marks.get("live", (-1,)))
    for observation in trace.observations:
        if observation.step == last and tap in observation.seen:
            seen = observation.seen[tap]
            hit = bool(seen.ids or seen.calls)
            return CheckResult(
                NAME,
                Outcome.HELD if hit else Outcome.UNOBSERVED,
                reason="" if hit else never,
            )
    return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"{tap}_silent", silent=(tap,))
