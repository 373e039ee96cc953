"""Did a reader get to see a word, phrase or title that stands in nothing which they may read?"""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.records.cases import Expectation, Look, Trace, observed
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome
from rageval_kit.text.normalise import fold

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "hidden_term"


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """The term is what the case asks with: whoever may read the target must be shown it."""
    del args
    term, looks = walk.wording.text, enumerate(walk.steps)
    for index, step in looks:
        expected = walk.expected.get((index, 0))
        if not isinstance(step, Look) or expected is None:
            continue
        if expected.target_allowed:
            walk.expected[index, 0] = replace(expected, wanted=term)
        else:
            unwanted = {term: walk.scene.id_of(walk.pair.chunk_id)}
            walk.expected[index, 0] = replace(expected, unwanted=unwanted)


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by the term in any text, but for a reader who said it in an earlier question."""
    del args
    if not any(step.unwanted for step in expectation.steps.values()):
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="nobody looked at a door")
    said: dict[str, str] = {}
    found, spoke = [], False
    for o in trace.observations:
        query = fold(aids.queries.get((o.step, o.part), ""))
        own = said[o.principal_id] = f"{said.get(o.principal_id, '')}\n{query}"
        expected = expectation.steps.get((o.step, o.part))
        if expected is None:
            continue
        for term, item in expected.unwanted.items():
            hidden = fold(term)
            if hidden in own:
                continue
            evidence = f"a term of {len(term)} characters that only hidden documents hold"
            lag_s = expectation.lag_s(expected, item)
            for stage in observed(aids.stages, o):
                spoke |= not o.error
                if any(hidden in fold(text) for text in o.seen[stage].texts):
                    found.append(
                        Finding(NAME, stage, o.step, o.principal_id, item, evidence, lag_s)
                    )
    leaks = tuple(finding for finding in found if finding.lag_s is None)
    lags = tuple(finding for finding in found if finding.lag_s is not None)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, leaks, lags=lags)
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED, lags=lags)
