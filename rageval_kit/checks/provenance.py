"""Was every source that the answer names put before the model, and in force then?"""

import re
from collections.abc import Iterator, Mapping

from rageval_kit.records.cases import Expectation, Observation, StepExpectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "provenance"
# A marker whose number no passage has, as a generator tells it beside the ids.
_DANGLING = re.compile(r"\[\d+\]")


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a cited id that its reader may not see at the time asked, or that was made up.

    So is it by a marker that points at no passage. Where the context shows, it alone says what was
    put before the model: a neighbour or a parent need not have been in the list. Else the list
    says it; what a cache served counts as well. An opened handle cites nothing. A version cited
    inside the service level after the event that ended it is a lag.
    """
    del args
    found: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        cited = observation.seen.get(Stage.CITATION)
        if expected is None or observation.error or cited is None or cited.status is not None:
            continue
        spoke = True
        where = (Stage.CITATION, observation.step, observation.principal_id)
        found += [
            Finding(NAME, *where, marker, "points at no passage put before the model")
            for marker in cited.texts
            if _DANGLING.fullmatch(marker)
        ]
        for item in cited.ids:
            for evidence in _faults(item, observation, expected):
                late = expectation.lag_s(expected, item)
                found.append(Finding(NAME, *where, item, evidence, late))
    leaks = tuple(finding for finding in found if finding.lag_s is None)
    lags = tuple(finding for finding in found if finding.lag_s is not None)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, leaks, lags=lags)
    if spoke:
        return CheckResult(NAME, Outcome.HELD, lags=lags)
    needed = Stage.CITATION in aids.must
    outcome = Outcome.UNOBSERVED if needed else Outcome.NOT_APPLICABLE
    return CheckResult(NAME, outcome, silent=(Stage.CITATION,))


def _faults(item: str, observation: Observation, expected: StepExpectation) -> Iterator[str]:
    """What is wrong with naming the id as a source, each in words."""
    if not expected.permitted.knows(item):
        yield "cited, but the corpus has no such source"
    elif item not in expected.permitted:
        yield "cited, but not in force or not readable at the time asked"
    seen = observation.seen
    if Stage.CACHE in seen and item in seen[Stage.CACHE].ids:
        return
    context = seen.get(Stage.CONTEXT)
    if context is not None and (context.ids or not context.texts):  # texts alone name no source
        if item not in context.ids:
            yield "cited, but never put before the model in this reply"
    elif Stage.RETRIEVE in seen and item not in seen[Stage.RETRIEVE].ids:
        yield "cited, but never retrieved in this reply"
