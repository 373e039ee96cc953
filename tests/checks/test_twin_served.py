"""Who may read must be served after somebody who may not has asked: worked step by step."""

import numpy as np
import pytest

from rageval_kit.checks.twin_served import check
from rageval_kit.records.cases import Expectation, Observation, Permitted, StepExpectation, Trace
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Aids, Outcome

AIDS = Aids(frozenset({Stage.RETRIEVE}), (Stage.RETRIEVE,))
EVERYTHING = StepExpectation(Permitted({"t": 0, "o": 1}, np.ones(2, dtype=np.bool_)))
EXPECTED = Expectation("c", {(n, 0): EVERYTHING for n in range(3)}, {"target": frozenset({"t"})})
ORDER = ("twin", "reader", "twin")


def shows(retrieved, cited=None, cached=None):
    taps = {Stage.RETRIEVE: retrieved, Stage.CITATION: cited, Stage.CACHE: cached}
    return {stage: Seen(tuple(ids)) for stage, ids in taps.items() if ids is not None}


def verdict(*seen, roles=ORDER, error=""):
    observations = [
        Observation(step, 0, role, role, shown, error=error if step == 2 else "")
        for step, (role, shown) in enumerate(zip(roles, seen, strict=True))
    ]
    return check({}, EXPECTED, Trace("c", tuple(observations)), AIDS)


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        (shows("t"), shows("t"), Outcome.HELD),
        (shows("t"), shows("o"), Outcome.VIOLATED),
        (shows("t"), shows(""), Outcome.VIOLATED),
        (shows("t", "t"), shows("t", ""), Outcome.VIOLATED),
        (shows("t", ""), shows("t", ""), Outcome.HELD),
        (shows("t", "t"), shows(None, "t", cached="t"), Outcome.HELD),
        (shows("t"), shows(None, cached="o"), Outcome.VIOLATED),
        (shows("o"), shows("o"), Outcome.UNOBSERVED),
        (shows("o"), shows("t"), Outcome.UNOBSERVED),
    ],
    ids=[
        "found_both_times", "another_after", "nothing_after", "list_whole_answer_empty",
        "never_cited", "served_from_its_own_answer", "served_somebody_elses_answer",
        "never_found", "found_only_after",
    ],
)  # fmt: skip
def test_what_was_found_before_must_be_found_after(before, after, outcome):
    result = verdict(before, shows(""), after)
    assert result.outcome is outcome
    assert bool(result.findings) is (outcome is Outcome.VIOLATED)


def test_without_two_questions_of_the_twin_nothing_is_said():
    result = verdict(shows("t"), shows(""), roles=("twin", "reader"))
    assert result.outcome is Outcome.UNOBSERVED
    assert verdict(shows("t"), shows(""), {}, error="timeout").outcome is Outcome.UNOBSERVED
