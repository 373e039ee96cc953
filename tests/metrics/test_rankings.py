"""Recall, HitRate and MRR against worked examples, plain loops and another implementation.

Worked by hand (both seeds):
K5: 4 relevant, 2 of them in the top 5: recall 2/4 = .5, hit 1.
K14: ranked d3 d1 d4 d2 d5, relevant d1 d2 d6: recall 2/3, reciprocal rank 1/2.
S3.3: first relevant at ranks 1, 3, 2: (1 + 1/3 + 1/2) / 3 = .6111.
"""

import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_lists import judged

from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.recall import Recall
from rageval_kit.records.faults import InputError

METRICS = (Recall, HitRate, MRR)


K5 = judged([["a", "x", "b", "y", "z"]], [{"a": 1, "b": 1, "c": 1, "d": 1}])
K14 = judged([["d3", "d1", "d4", "d2", "d5"]], [{"d1": 3, "d2": 2, "d6": 1}])
S33 = judged([["r", "x", "y"], ["x", "y", "r"], ["x", "r", "y"]], [{"r": 1}, {"r": 1}, {"r": 1}])


@pytest.mark.parametrize(
    ("metric", "rankings", "expected"),
    [
        (Recall(5), K5, 0.5),
        (HitRate(5), K5, 1.0),
        (Recall(5), K14, 2 / 3),
        (MRR(5), K14, 0.5),
        (MRR(10), S33, 11 / 18),
        (MRR(2), S33, 0.5),  # the hit at rank 3 is beyond the cutoff: (1 + 0 + 1/2) / 3
        (HitRate(2), S33, 2 / 3),
        (Recall(1), K14, 0.0),
        (Recall(100), K14, 2 / 3),
    ],
)
def test_agrees_with_the_worked_examples(metric, rankings, expected):
    column = metric(rankings)
    assert column.measured.all()
    assert column.values.mean() == pytest.approx(expected)


def test_counts_only_grades_of_min_grade_and_above():
    assert Recall(5, min_grade=2)(K14).values[0] == pytest.approx(1.0)  # d1 (3), d2 (2)
    assert MRR(5, min_grade=3)(K14).values[0] == pytest.approx(0.5)
    assert HitRate(2, min_grade=4)(K14).measured.tolist() == [False]


@pytest.mark.parametrize("kind", METRICS)
def test_a_query_without_a_relevant_document_is_undefined_not_zero(kind):
    column = kind(10)(judged([["a"], ["a"]], [{"a": 1}, {"a": 0}]))
    assert column.measured.tolist() == [True, False]
    assert dict(column.reasons) == {1: "undefined: no document is judged relevant"}


@pytest.mark.parametrize("kind", METRICS)
def test_a_query_that_returned_nothing_scores_zero(kind):
    column = kind(10)(judged([[], ["a"]], [{"a": 1}, {"a": 1}]))
    assert column.measured.all()
    assert column.values.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("kind", METRICS)
def test_a_failed_query_is_unmeasured_with_its_cause(kind):
    column = kind(10)(judged([["a"], []], [{"a": 1}, {"a": 1}], unranked={1: "failed: timeout"}))
    assert column.measured.tolist() == [True, False]
    assert dict(column.reasons) == {1: "failed: timeout"}
    assert column.values[1] == 0


@pytest.mark.parametrize("kind", METRICS)
def test_no_query_at_all_is_an_empty_column(kind):
    assert len(kind(10)(judged([], [])).values) == 0


@pytest.mark.parametrize("kind", METRICS)
@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_one_is_refused(kind, k):
    with pytest.raises(InputError, match="k must be 1 or more"):
        kind(k)


@pytest.mark.parametrize("kind", METRICS)
def test_each_metric_defines_itself_in_both_languages(kind):
    assert set(kind.definition) == {"en", "zh"}
    assert kind.version == 1
    assert all(len(text) > 40 for text in kind.definition.values())


def plain(ranking, grades, k, min_grade):
    """The three measures of one query, as a loop."""
    relevant = {document for document, grade in grades.items() if grade >= min_grade}
    if not relevant:
        return None
    places = [rank for rank, document in enumerate(ranking[:k], 1) if document in relevant]
    first = 1 / places[0] if places else 0.0
    return len(places) / len(relevant), float(bool(places)), first


documents = st.sampled_from([f"d{number}" for number in range(8)])
one_query = st.tuples(
    st.lists(documents, unique=True), st.dictionaries(documents, st.integers(0, 3), max_size=8)
)


@given(st.lists(one_query, min_size=1, max_size=6), st.integers(1, 9), st.integers(1, 3))
def test_the_batch_agrees_with_the_loop(queries, k, min_grade):
    rankings, qrels = [one for one, _ in queries], [one for _, one in queries]
    columns = [kind(k, min_grade)(judged(rankings, qrels)) for kind in METRICS]
    for number, (ranking, grades) in enumerate(queries):
        expected = plain(ranking, grades, k, min_grade)
        if expected is None:
            assert not any(column.measured[number] for column in columns)
        else:
            assert [column.values[number] for column in columns] == pytest.approx(expected)


def test_agrees_with_pytrec_eval_on_random_rankings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pytrec_eval
    choose = random.Random(7)
    rankings, qrels = [], []
    for _ in range(60):
        pool = [f"d{number:03d}" for number in range(60)]
        choose.shuffle(pool)
        rankings.append(pool[: choose.randint(1, 40)])
        grades = {document: choose.randint(0, 3) for document in choose.sample(pool, 12)}
        qrels.append({**grades, pool[0]: choose.randint(0, 1), "never": 1})
    run = {
        f"q{number}": {document: 100.0 - rank for rank, document in enumerate(ranking)}
        for number, ranking in enumerate(rankings)
    }
    truth = {f"q{number}": grades for number, grades in enumerate(qrels)}
    other = pytrec_eval.RelevanceEvaluator(truth, {"recall_10", "success_10", "recip_rank"})
    result = other.evaluate(run)
    batch = judged(rankings, qrels)
    for metric, name in (
        (Recall(10), "recall_10"),
        (HitRate(10), "success_10"),
        (MRR(1000), "recip_rank"),
    ):
        expected = [result[f"q{number}"][name] for number in range(60)]
        assert metric(batch).values.tolist() == pytest.approx(expected)
