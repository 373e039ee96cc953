"""Does a source that the answer names hold the value that the answer states?"""

from collections.abc import Mapping

from rageval_kit.detect.values import stated
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "credited"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where a value is stated and sources are named, and none of them holds the value.

    What a source says is read where the target showed it: in its context, cache or list.
    """
    del args, aids
    found: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        place = (observation.step, observation.part)
        cited = observation.seen.get(Stage.CITATION)
        if observation.error or place not in expectation.steps or cited is None:
            continue
        answer = observation.seen.get(Stage.ANSWER, Seen())
        said = set(stated("\n".join(answer.texts), expectation.values))
        passages = _passages(observation.seen)
        named = [one for one in cited.ids if one in passages]
        if not said or len(named) < len(cited.ids) or not named:
            continue
        spoke = True
        held = {v for one in named for v in stated(passages[one], expectation.values)}
        if said - held:
            where = (Stage.CITATION, observation.step, observation.principal_id)
            evidence = "cited for a value that it does not hold"
            found.append(Finding(NAME, *where, named[0], evidence))
    if found:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(dict.fromkeys(found)))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _passages(seen: Mapping[Stage, Seen]) -> dict[str, str]:
    """The text of each id, of the taps that show both."""
    shown = [seen.get(stage, Seen()) for stage in (Stage.RETRIEVE, Stage.CACHE, Stage.CONTEXT)]
    return {
        one: text
        for tap in shown
        if len(tap.ids) == len(tap.texts)
        for one, text in zip(tap.ids, tap.texts, strict=True)
    }
