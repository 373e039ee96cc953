"""As many readable results as there were matching documents to get, up to k."""

import numpy as np
import pytest

from rageval_kit.checks.found import check
from rageval_kit.records.cases import Permitted, StepExpectation
from rageval_kit.records.verdicts import Outcome

CROWD = tuple(f"c{i}" for i in range(6))
HIDDEN = ("h1", "h2", "h3")
READABLE = ("r1", "r2")
INDEX = {item: place for place, item in enumerate((*CROWD, *READABLE, *HIDDEN))}
MAY = Permitted(INDEX, np.array([item not in HIDDEN for item in INDEX]))


@pytest.fixture
def judge(small):
    def run(*ids, k=10, role="reader", silent=False):
        expected = small.expectation(StepExpectation(MAY), target=CROWD, relevant=CROWD)
        seen = small.saw(0, {} if silent else {"retrieve": small.ids(*ids)}, role=role)
        return check({}, expected, small.trace(seen), small.aids(k=k))

    return run


@pytest.mark.parametrize(
    ("ids", "k", "outcome"),
    [
        (CROWD, 10, Outcome.HELD),
        (CROWD[:5], 10, Outcome.VIOLATED),
        (CROWD[:4], 4, Outcome.HELD),
        (CROWD[:3], 4, Outcome.VIOLATED),
        ((*CROWD[:3], *HIDDEN), 4, Outcome.VIOLATED),
        ((*CROWD[:2], *READABLE), 4, Outcome.HELD),
        ((CROWD[0],) * 4, 4, Outcome.VIOLATED),
        ((), 10, Outcome.VIOLATED),
    ],
    ids=[
        "all",
        "one_short",
        "k_of_them",
        "short_of_k",
        "hidden_ones_do_not_count",
        "other_readable_ones_do",
        "the_same_one_counts_once",
        "recorded_but_empty",
    ],
)
def test_fewer_than_there_were_to_get_is_starvation(judge, ids, k, outcome):
    assert judge(*ids, k=k).outcome is outcome


def test_it_says_how_many(judge):
    (finding,) = judge(*CROWD[:2], k=4).findings
    assert finding.evidence == "2 of 4 readable results came back"


def test_a_silent_tap_starves_nobody(judge):
    assert judge(silent=True).outcome is Outcome.UNOBSERVED


def test_what_others_got_does_not_count(judge):
    assert judge(*CROWD, role="twin").outcome is Outcome.UNOBSERVED
