"""What the exhibit names was found with its own question: by the reader, or by its author."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("target", "true", "carrier", "published"),
    "to": ("reader", "author"),
}
WANTS = ("is",)
NAME = "shown"
AUTHOR = "author"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """The author asks at the end, for a time at which what is to be found is in force."""
    exhibit = walk.pair.exhibit
    if args.get("to") != AUTHOR or exhibit is None:
        return
    document = walk.world.documents.get(exhibit.documents.get(args["is"], ""))
    starts = [v.valid_from for v in document.versions if v.valid_from] if document else []
    wording = walk.wording
    if starts and max(starts) > (walk.scene.as_of or walk.world.clock):
        wording = walk.about(max(starts))
    walk.mark(AUTHOR)
    walk.ask(AUTHOR, exhibit.author_id, wording, session=AUTHOR)


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """Held when one of the steps shows it in the list, or serves it from the cache."""
    del aids
    who = args.get("to", "reader")
    wanted = expectation.roles.get(args["is"], frozenset())
    silent = True
    for observation in trace.observations:
        if observation.role != who:
            continue
        if observation.error:
            return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
        seen = observation.seen.get(Stage.RETRIEVE) or observation.seen.get(Stage.CACHE)
        silent = silent and seen is None
        if seen is not None and wanted.intersection(seen.ids):
            return CheckResult(NAME, Outcome.HELD)
    if silent:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason="silent", silent=(Stage.RETRIEVE,))
    return CheckResult(NAME, Outcome.UNOBSERVED, reason=f"{args['is']} not shown to the {who}")
