"""Known ways in which others' measures go wrong, each with the value that is right."""

import pytest
from ranked_lists import judged, one

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.f1 import F1
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.judged import Judged
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.ndcg_linear import NDCGLinear
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.set_precision import SetPrecision
from rageval_kit.metrics.tier_recall import TierRecall
from rageval_kit.ranking.unjudged import measured


@pytest.mark.parametrize(
    ("metric", "expected"),
    [(AP(), 0.5), (Recall(2), 0.5), (Precision(2), 0.5), (NDCG(10), 0.6131471927654584)],
    ids=lambda one: getattr(one, "name", ""),
)
def test_bug_004_ap_divides_by_all_relevant_documents_not_by_those_found(metric, expected):
    assert one(metric, ["a", "x"], {"a": 1, "b": 1}) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("metric", [NDCG(2), NDCGLinear(2)], ids=lambda metric: metric.name)
def test_bug_005_the_ideal_is_made_of_all_judged_documents(metric):
    value = one(metric, ["x", "a"], {"a": 1, "b": 1, "c": 1})
    assert value == pytest.approx(0.38685280723454163, abs=1e-15)


def test_bug_006_a_page_counts_once_and_no_ratio_exceeds_1():
    first = (["t"], {"t": 1})  # the second t is gone before ranks are given
    assert [one(metric(2), *first) for metric in (Recall, Precision, NDCG)] == [1, 0.5, 1]
    assert one(Recall(2), ["m"], {"m": 1, "n": 1}) == 0.5


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (Precision(5), 0.2),
        (Recall(5), 0.5),
        (F1(5), 0.2857142857142857),
        (HitRate(5), 1.0),
        (SetPrecision(), 1.0),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_bug_007_precision_divides_by_k_and_by_what_came_back_under_another_name(metric, expected):
    assert one(metric, ["a"], {"a": 1, "b": 1}) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("metric", [Recall(5), AP(), NDCG(10)], ids=lambda metric: metric.name)
def test_bug_009_a_query_without_a_relevant_document_is_undefined(metric):
    lists = ([["a"], ["b"]], [{"a": 0}, {"b": 1}])
    column = metric(judged(*lists))
    assert column.measured.tolist() == [False, True]
    assert dict(column.reasons) == {0: "undefined: no document is judged relevant"}
    assert column.values[column.measured].tolist() == [1.0]
    other = metric(judged(*lists, no_relevant="zero"))
    assert other.metric == f"{metric.name}|no_relevant=zero"
    assert other.identity != column.identity
    assert other.measured.all()
    assert other.values.mean() == 0.5


def test_bug_011_the_unjudged_convention_is_part_of_the_name():
    lists = ([["u1", "u2", "a"]], [{"a": 1, "b": 0}])
    plain, condensed = judged(*lists), judged(*lists, unjudged="condensed")
    columns = [measured(NDCG(3), batch) for batch in (plain, condensed)]
    assert [column.values[0] for column in columns] == [0.5, 1.0]
    assert [column.metric for column in columns] == ["ndcg@3", "ndcg@3|unjudged=condensed"]
    assert columns[0].identity != columns[1].identity
    coverage = [measured(Judged(3), batch).values[0] for batch in (plain, condensed)]
    assert coverage == [1 / 3, 1 / 3]


@pytest.mark.parametrize(
    ("metric", "swapped"),
    [(NDCGLinear(2), 0.7967075809905066), (NDCG(2), 0.7098097413968655)],
    ids=["ndcg_linear", "ndcg"],
)
def test_bug_012_gain_and_ideal_gain_are_one_and_in_the_name(metric, swapped):
    grades = {"n1": 3, "s1": 1}
    assert one(metric, ["n1", "s1"], grades) == 1
    assert one(metric, ["s1", "n1"], grades) == pytest.approx(swapped, abs=1e-15)
    assert NDCG(2).name != NDCGLinear(2).name


def test_bug_017_one_result_and_none_are_lists_too():
    assert one(NDCG(10), ["a"], {"a": 1}) == 1
    assert one(NDCG(10), [], {"a": 1}) == 0


def test_core_evidence_alone_stands_above_and_below_the_line():
    """A and B core, C supporting, all returned in the top 3: 2/2, never 3/2."""
    grades = {"A": 3, "B": 3, "C": 2}
    assert one(TierRecall(3), ["C", "A", "B"], grades) == 1
    assert one(TierRecall(2), ["C", "A", "B"], grades) == 0.5
    weighted = TierRecall(2, count="weighted")
    assert one(weighted, ["C", "A", "B"], grades) == 1.5 / 2.5
    assert weighted.name == "tier_recall@2[weighted]"
