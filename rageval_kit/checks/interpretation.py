"""Did the system understand the question: its entity, its numbers and negations, its time?"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from rageval_kit.detect.values import numbers_in
from rageval_kit.records.cases import Expectation, StepExpectation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, CheckResult, Finding, Outcome
from rageval_kit.text.normalise import fold

TAKES: Mapping[str, tuple[str, ...] | None] = {}
NAME = "interpretation"
# What turns a question round when it is lost on the way.
NEGATIONS = re.compile(
    r"\b(?:not|no|never|without|except|excluding|unless|neither|nor)\b|n't\b|[不没無无未非勿]|除了"
)


def check(
    args: Mapping[str, str], expectation: Expectation, trace: Trace, aids: Aids
) -> CheckResult:
    """Violated where the rewritten question lost what it was about, or means another time.

    Only what the tap says is held against it: a text that it does not show, or a time that it does
    not name, is not wrong. Any instant of the day meant is right, as the corpus counts days: what
    a system makes of the hour shows in what it serves. Several texts are sub-questions, and
    together must keep everything. Numbers that belong to the date in front of the question may go:
    the time says them.
    """
    del args
    findings, spoke = [], False
    for observation in trace.observations:
        expected = expectation.steps.get((observation.step, observation.part))
        seen = observation.seen.get(Stage.QUERY)
        if expected is None or observation.error or seen is None:
            continue
        if not seen.texts and seen.as_of is None:  # a tap that says nothing has not spoken
            continue
        spoke = True
        query = aids.queries.get((observation.step, observation.part), "")
        for evidence in _faults(seen, query, expected, expectation):
            findings.append(
                Finding(
                    NAME,
                    Stage.QUERY,
                    observation.step,
                    observation.principal_id,
                    next(iter(sorted(expectation.roles["target"]))),
                    evidence,
                )
            )
    if findings:
        return CheckResult(NAME, Outcome.VIOLATED, tuple(findings))
    if spoke:
        return CheckResult(NAME, Outcome.HELD)
    needed = Stage.QUERY in aids.must
    outcome = Outcome.UNOBSERVED if needed else Outcome.NOT_APPLICABLE
    return CheckResult(NAME, outcome, silent=(Stage.QUERY,))


def _faults(
    seen: Seen, query: str, expected: StepExpectation, expectation: Expectation
) -> Iterator[str]:
    if not _same_day(seen.as_of, expected.as_of, ZoneInfo(expectation.timezone)):
        yield f"understood as of {seen.as_of}, meant was {expected.as_of}"
    if not seen.texts:
        return
    text, asked = fold(" ".join(seen.texts)), fold(query)
    for word in expectation.kept:
        if fold(word) in asked and fold(word) not in text:
            yield "the question's entity is gone from the rewritten text"
    lost = set(numbers_in(asked)) - set(numbers_in(text)) - _of_the_date(expected)
    if lost:
        yield f"{len(lost)} numbers of the question are gone from the rewritten text"
    if len(NEGATIONS.findall(asked)) > 0 and not NEGATIONS.search(text):
        yield "the question's negation is gone from the rewritten text"


def _same_day(understood: datetime | None, meant: datetime | None, zone: ZoneInfo) -> bool:
    """Whether both lie on one day of the zone; where either says nothing, nothing is wrong."""
    if understood is None or meant is None:
        return True
    if abs(understood - meant) > timedelta(days=1, hours=1):  # a day may have an hour more
        return False
    return understood.astimezone(zone).date() == meant.astimezone(zone).date()


def _of_the_date(expected: StepExpectation) -> set[int]:
    """Numbers by which the time asked about may have been said, in any zone."""
    at = expected.as_of
    if at is None:
        return set()
    near = {at.day + shift for shift in (-1, 0, 1)}
    return {at.year, at.month, *near} | {at.year - 1, at.year + 1, at.month - 1, at.month + 1, 1}
