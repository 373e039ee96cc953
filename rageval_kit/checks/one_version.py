"""Does one reply draw on a single version of each document?"""

from collections.abc import Iterator, Mapping

from rageval_kit.detect.values import stated
from rageval_kit.records.cases import Expectation, Observation, Trace, observed
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {"question": ("compares",)}
NAME = "one_version"
LOOKED_AT = frozenset({Stage.CONTEXT, Stage.CITATION, Stage.ANSWER})


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where ids, canaries or values of two versions of a document stand at one tap.

    A question that compares versions wants both: it is none of this check's.
    """
    if "question" in args:
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="the question compares versions")
    findings, spoke = [], False
    for observation in trace.observations:
        if (observation.step, observation.part) not in expectation.steps or observation.error:
            continue
        query = aids.queries.get((observation.step, observation.part), "")
        for stage in observed(aids.stages & LOOKED_AT, observation):
            spoke = True
            versions: dict[str, str] = {}
            for item in _items(stage, observation, expectation, aids, query):
                role = expectation.version_of(item)
                if role:
                    versions.setdefault(role, item)
            findings += [
                Finding(
                    NAME,
                    stage,
                    observation.step,
                    observation.principal_id,
                    item,
                    f"beside {other}, of another version of the same document",
                )
                for other, item in _mixed(versions)
            ]
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED)


def _items(
    stage: Stage, observation: Observation, expectation: Expectation, aids: Aids, query: str
) -> Iterator[str]:
    """Every id that stands at the tap, by itself, by its canary or by the value it states."""
    seen = observation.seen[stage]
    yield from seen.ids
    for text in seen.texts:
        if aids.canaries_in is not None:
            yield from aids.canaries_in(text, query)
        for value in sorted(stated(text, expectation.values)):
            yield expectation.values[value]


def _mixed(versions: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """(first, other) of each document of which more than one version stands there."""
    first: dict[str, str] = {}
    for role, item in sorted(versions.items()):
        document = role.rsplit(".", 1)[0]
        if first.setdefault(document, item) != item:
            yield first[document], item
