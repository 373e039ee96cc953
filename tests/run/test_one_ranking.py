"""The function of the first source document: its example, its errors, and a plain loop.

K14, worked by hand: d3 d1 d4 d2 d5 with d1 d2 d6 relevant, k 5: precision 2/5, recall 2/3, hit 1,
reciprocal rank 1/2, AP (1/2 + 2/4) / 3. Gains 7 at rank 2, 3 at rank 4 (grades 3 and 2), the ideal
7, 3, 1: (7/log2 3 + 3/log2 5) / (7 + 3/log2 3 + 1/2) = .60776.
"""

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rageval_kit
from rageval_kit.records.faults import InputError
from rageval_kit.run.one_ranking import evaluate_ranking

LIST, RELEVANT = ["d3", "d1", "d4", "d2", "d5"], {"d1", "d2", "d6"}
GRADES = {"d1": 3, "d2": 2, "d6": 1}


def test_k14_the_example_of_the_source():
    found = evaluate_ranking(LIST, RELEVANT, GRADES, 5)
    assert found == pytest.approx(
        {
            "precision_at_k": 2 / 5,
            "recall_at_k": 2 / 3,
            "hit_rate_at_k": 1.0,
            "rr_at_k": 1 / 2,
            "ap_at_k": 1 / 3,
            "ndcg_at_k": (7 / log2(3) + 3 / log2(5)) / (7 + 3 / log2(3) + 1 / 2),
        }
    )
    assert found["ndcg_at_k"] == pytest.approx(0.60776, abs=5e-6)


def test_it_is_part_of_the_promised_face():
    assert rageval_kit.evaluate_ranking is evaluate_ranking


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((LIST, RELEVANT, GRADES, 0), "k must be positive"),
        ((LIST, RELEVANT, GRADES, -3), "k must be positive"),
        ((LIST, RELEVANT, GRADES, True), "k must be positive"),
        ((["a", "b", "a"], {"a"}, {"a": 1}, 3), "duplicate result ids"),
        ((LIST, set(), GRADES, 5), "nothing is relevant"),
        (("d1", {"d1"}, GRADES, 5), "not a collection"),
        ((LIST, RELEVANT, {"d1": 2.9}, 5), "grade of 'd1'"),
        ((LIST, RELEVANT, {"d1": float("nan")}, 5), "is not a whole number"),
    ],
)
def test_its_errors_are_value_errors_and_input_errors(words, problem):
    with pytest.raises(ValueError, match=problem):
        evaluate_ranking(*words)
    with pytest.raises(InputError):
        evaluate_ranking(*words)


def test_a_repeat_below_the_cutoff_is_not_looked_at():
    assert evaluate_ranking(["a", "b", "a"], {"a"}, {"a": 1}, 2)["precision_at_k"] == 1 / 2


def plain(ranked, relevant, grades, k):
    """As the source writes it, with loops."""
    ranked = ranked[:k]
    hits = [document in relevant for document in ranked]
    first = next((rank for rank, hit in enumerate(hits, 1) if hit), None)
    total, running = 0.0, 0
    for rank, hit in enumerate(hits, 1):
        running += hit
        total += hit * running / rank

    def dcg(values):
        return sum(
            (2 ** max(grade, 0) - 1) / log2(rank + 1) for rank, grade in enumerate(values, 1)
        )

    ideal = dcg(sorted(grades.values(), reverse=True)[:k])
    return {
        "precision_at_k": sum(hits) / k,
        "recall_at_k": sum(hits) / len(relevant),
        "hit_rate_at_k": float(any(hits)),
        "rr_at_k": 1 / first if first else 0.0,
        "ap_at_k": total / len(relevant),
        "ndcg_at_k": dcg([grades.get(one, 0) for one in ranked]) / ideal if ideal else 0.0,
    }


ids = st.sampled_from("abcdefgh")


@settings(deadline=None)
@given(
    st.lists(ids, unique=True),
    st.sets(ids, min_size=1),
    st.dictionaries(ids, st.integers(0, 3)),
    st.integers(1, 9),
)
def test_agrees_with_the_loops_of_the_source(ranked, relevant, grades, k):
    found = evaluate_ranking(ranked, relevant, grades, k)
    assert found == pytest.approx(plain(ranked, relevant, grades, k))
