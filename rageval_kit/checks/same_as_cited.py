"""Does a citation, clicked after an update, still lead to what the answer was made from?"""

from collections.abc import Mapping

from rageval_kit.records.cases import Expectation, Observation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "same_as_cited"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a click that shows another passage, or other words than the model was given.

    A click that shows nothing is no breach: what is superseded may be closed by then.
    """
    del args, aids
    asked = [o for o in trace.observations if o.step in expectation.marks.get("before", ())]
    used = {text for o in asked for text in _given(o)}
    cited = {one for o in asked for one in o.seen.get(Stage.CITATION, Seen()).ids}
    found: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        shown = observation.seen.get(Stage.CITATION)
        if observation.error or shown is None or shown.status is None or not cited:
            continue  # an answer, or nothing: only an opened handle has a status
        spoke = True
        where = (Stage.CITATION, observation.step, observation.principal_id)
        others = [one for one in shown.ids if one not in cited]
        found += [Finding(NAME, *where, one, "another passage than was cited") for one in others]
        if shown.ids and not others and used and not used.issuperset(shown.texts):
            found.append(Finding(NAME, *where, shown.ids[0], "other words than were cited"))
    if found:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(found))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _given(observation: Observation) -> tuple[str, ...]:
    """The words of what the answer was made from, as far as it shows."""
    taps = (Stage.CONTEXT, Stage.CACHE)
    return tuple(text for tap in taps for text in observation.seen.get(tap, Seen()).texts)
