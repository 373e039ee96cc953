"""Does the index hold what its source holds: nothing missing, orphaned or stale, one model?"""

from collections.abc import Mapping

from rageval_kit.corpus.reconcile import Difference, Kind, reconcile
from rageval_kit.records.cases import Expectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "reconciled"
MODEL_NOT_TOLD = "model_not_told"
NAMED = 20


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by one entry that is wrong longer than the service level; before that it is a lag.

    A vector of the old model is a lag until one level after the change of model; where the index
    does not say whose its vectors are, that is unobserved. Of many alike the first are named, each
    kind by itself.
    """
    del args, aids
    level = expectation.service_level_s
    leaks: list[Finding] = []
    lags: list[Finding] = []
    spoke, told = False, True
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        if expected is None or expected.source is None or observation.error:
            continue
        spoke = True
        found = reconcile(expected.source, observation.inventory, level)
        told = told and not found.model_not_told
        for kind in Kind:
            alike = [one for one in found.differences if one.kind is kind]
            for one in alike[:NAMED]:
                lag_s = _lag_s(one, expected.elapsed_s, level)
                finding = _finding(observation.step, one, len(alike), lag_s)
                (leaks if lag_s is None else lags).append(finding)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(leaks), lags=tuple(lags))
    if not told:
        return CheckResult(NAME, Outcome.UNOBSERVED, reason=MODEL_NOT_TOLD, lags=tuple(lags))
    return CheckResult(NAME, Outcome.HELD if spoke else Outcome.UNOBSERVED, lags=tuple(lags))


def _lag_s(one: Difference, elapsed_s: float | None, level_s: float) -> float | None:
    """How long it has been wrong, inside the level; None: too long, or since before the script."""
    if one.kind is Kind.PENDING:
        return one.lag_s
    if one.kind is Kind.WRONG_MODEL and elapsed_s is not None and elapsed_s < level_s:
        return elapsed_s
    return None


def _finding(step: int, one: Difference, n: int, lag_s: float | None) -> Finding:
    evidence = f"{one.kind}: {one.detail} ({n} such)"
    return Finding(NAME, Stage.INDEX, step, "", one.chunk_id, evidence=evidence, lag_s=lag_s)
