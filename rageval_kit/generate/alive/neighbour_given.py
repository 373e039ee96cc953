"""The target hands whoever answers what stands beside a hit: without that nothing could come."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "neighbour_given"
IS_PROBE = True  # shows that the system expands at all, not that a reader was served
TWIN = "twin"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """The twin, who may read what stands beside, asks the same."""
    del args
    walk.mark(TWIN)
    walk.ask(TWIN, walk.pair.twin_id, walk.wording)


def judge(
    expectation: Expectation, trace: Trace, args: Mapping[str, str], aids: Aids
) -> CheckResult:
    """Held when the twin's context, or what its own cached answer was made from, has the target."""
    del args, aids
    target = expectation.roles["target"]
    for observation in trace.observations:
        if observation.role != TWIN:
            continue
        if observation.error:
            return CheckResult(NAME, Outcome.FAILED, reason=observation.error)
        shown = (observation.seen.get(tap) for tap in (Stage.CONTEXT, Stage.CACHE))
        if any(seen is not None and target & set(seen.ids) for seen in shown):
            return CheckResult(NAME, Outcome.HELD)
    return CheckResult(NAME, Outcome.UNOBSERVED, reason="nothing_beside_a_hit")
