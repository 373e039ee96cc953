"""Does the answer state the value of the version that is right, and of no other as true?"""

from collections.abc import Mapping

from rageval_kit.detect.values import stated
from rageval_kit.records.cases import Expectation, StepExpectation, Trace
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("both_or_none",),
    "missing": ("violated",),
    "also": ("allowed",),
}
NAME = "value"
NOT_STATED = "value_not_stated"


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated by a value of a version that does not hold; stated by nobody, it is unobserved.

    Right is the value of any version that may be read at the time meant: where two are in force,
    either. `also: allowed`: others may stand beside the right one. `missing: violated`: silence is
    a breach too. `is: both_or_none`: of sources that contradict each other all are told, or none.
    Silence inside the service level is none where the answer speaks later on, or still tells the
    old value: a lag excuses the reply that it was seen in, and no other.
    """
    if not expectation.values:
        return CheckResult(NAME, Outcome.NOT_APPLICABLE, reason="no version states a value")
    found: list[Finding] = []
    told: dict[str, bool] = {}
    spoke = silent = waiting = due = False
    questions = expectation.marks.get("question", ())
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        answer = observation.seen.get(Stage.ANSWER)
        asked = observation.step in questions or (
            expected and (expected.wanted or expected.unwanted)
        )
        if expected is None or observation.error or answer is None or not asked:
            continue
        spoke = True
        said = stated("\n".join(answer.texts), expectation.values)
        right = frozenset(expectation.values) - set(expected.unwanted)
        own = [
            Finding(
                NAME,
                Stage.ANSWER,
                observation.step,
                observation.principal_id,
                item,
                evidence,
                expectation.lag_s(expected, item),
            )
            for value, evidence in _faults(args, said, expectation, expected).items()
            for item in (expectation.values[value],)
        ]
        found += own
        told["right_value"] = told.get("right_value", True) and bool(said & right)
        early = expected.elapsed_s is not None and expected.elapsed_s < expectation.service_level_s
        unsaid = bool(right and not said & right) and not any(f.lag_s is not None for f in own)
        due = due or not early
        silent = silent or (unsaid and not early)
        waiting = waiting or (unsaid and early)
    leaks = tuple(finding for finding in found if finding.lag_s is None)
    lags = tuple(finding for finding in found if finding.lag_s is not None)
    if leaks:
        return CheckResult(NAME, Outcome.VIOLATED, leaks, lags=lags, told=told)
    if not spoke:
        needed = Stage.ANSWER in aids.must
        outcome = Outcome.UNOBSERVED if needed else Outcome.NOT_APPLICABLE
        return CheckResult(NAME, outcome, silent=(Stage.ANSWER,))
    if (silent or (waiting and not due)) and args.get("is") != "both_or_none":
        outcome = Outcome.VIOLATED if silent and "missing" in args else Outcome.UNOBSERVED
        return CheckResult(NAME, outcome, reason=NOT_STATED, lags=lags, told=told)
    return CheckResult(NAME, Outcome.HELD, lags=lags, told=told)


def _faults(
    args: Mapping[str, str],
    said: frozenset[str],
    expectation: Expectation,
    expected: StepExpectation,
) -> Mapping[str, str]:
    """Each value that is wrongly stated, or kept back, with what is wrong."""
    right = frozenset(expectation.values) - set(expected.unwanted)
    if args.get("is") == "both_or_none":
        told = bool(said & right)
        return {v: "kept back, though another source says otherwise" for v in right - said if told}
    if args.get("also") == "allowed" and said & right:
        return {}
    how = "beside the right one" if said & right else "as the only value"
    holding = " or ".join(f"{value} of {expectation.values[value]}" for value in sorted(right))
    return {
        value: f"stated {how}: it is that of {name}; right is {holding or 'none'}"
        for value, name in sorted(expected.unwanted.items())
        if value in said
    }
