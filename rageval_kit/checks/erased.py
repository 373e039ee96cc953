"""Does any tap still tell what was erased, in whatever words, once it is nowhere to be read?"""

from collections.abc import Mapping

from rageval_kit.detect.values import stated
from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Trace, observed
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome
from rageval_kit.records.world import State

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "erased"
ROLE = "erased"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """What the documents state that are deleted by the end of the script."""
    del args
    exhibit, now = walk.pair.exhibit, walk.world.clock
    gone = {
        version.version_id
        for document_id in (exhibit.documents.values() if exhibit else ())
        for version in walk.world.documents[document_id].versions
        if version.state_at(now)[0] is State.DELETED
    }
    values = exhibit.values if exhibit else {}
    walk.roles[ROLE] = frozenset(values[one] for one in gone if one in values)


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by an erased value in any text after the erasure, but for the question's own echo.

    Inside the service level it is a lag.
    """
    del args
    erased = expectation.roles.get(ROLE, frozenset())
    found: list[Finding] = []
    spoke = False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        if expected is None or expected.elapsed_s is None:
            continue
        query = aids.queries.get((observation.step, observation.part), "")
        late = expected.elapsed_s >= expectation.service_level_s
        for stage in observed(aids.stages, observation):
            spoke |= not observation.error
            told = stated("\n".join(observation.seen[stage].texts), erased) - stated(query, erased)
            found += [
                Finding(
                    NAME,
                    stage,
                    observation.step,
                    observation.principal_id,
                    expectation.values.get(value, ""),
                    evidence="an erased value in text",
                    lag_s=None if late else expected.elapsed_s,
                )
                for value in sorted(told)
            ]
    leaks = tuple(finding for finding in found if finding.lag_s is None)
    lags = tuple(finding for finding in found if finding.lag_s is not None)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, leaks, lags=lags)
    return CheckResult(NAME, Outcome.HELD if spoke and erased else Outcome.UNOBSERVED, lags=lags)
