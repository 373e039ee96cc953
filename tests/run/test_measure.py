"""Twins at places 1, 3, 0 (not found) and a failed call; k = 1 finds one of three measured."""

import numpy as np
import pytest

from rageval_kit.gates.policy import GatePolicy
from rageval_kit.metrics.judged import Judged
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.tier_recall import TierRecall
from rageval_kit.records.target import Grain
from rageval_kit.run.measure import judged_twins, over_twins


def twins(metrics, rows):
    return over_twins(metrics, rows, GatePolicy(), 7, Grain.DOCUMENT).results


@pytest.fixture
def rows(by_hand):
    return [
        by_hand.row(1, ranks=(1,)),
        by_hand.row(2, ranks=(3, 0)),
        by_hand.row(3, "failed", ranks=(-1,)),
        by_hand.row(4, ranks=()),
    ]


def test_every_twins_question_is_a_query_with_one_relevant_document(rows):
    judged = judged_twins(rows, Grain.DOCUMENT)
    assert judged.n_queries == 4
    assert judged.query.tolist() == [0, 1]
    assert judged.rank.tolist() == [1, 3]
    assert judged.judged_grade.tolist() == [1, 1, 1, 1]
    assert judged.unranked == {3: "failed: the call gave no usable reply"}


def test_not_found_is_zero_and_a_failed_call_is_no_score(rows):
    found = {m.metric: m for m in twins({"r1": Recall(1), "r3": Recall(3)}, rows)}
    first, third = (found[name] for name in sorted(found))
    assert (first.n_scored, first.n_total) == (3, 4)
    assert first.value == pytest.approx(1 / 3)
    assert third.value == pytest.approx(2 / 3)
    assert sum(first.reasons.values()) == 1


def test_the_reciprocal_of_the_place_counts(rows):
    (found,) = twins({"mrr": MRR(10)}, rows)
    assert found.value == pytest.approx(np.mean([1, 1 / 3, 0]))


def test_a_question_that_the_cache_answered_is_counted_and_has_no_score(by_hand):
    rows = [by_hand.row(1, ranks=(1, -2))]
    (found,) = twins({"r": Recall(10)}, rows)
    assert (found.value, found.n_scored, found.n_total) == (1.0, 1, 2)
    assert found.reasons == {"not_applicable: no list was retrieved for it": 1}


def test_without_twins_nothing_is_measured(by_hand):
    assert twins({"r": Recall(10)}, [by_hand.row(1)]) == ()


def test_a_measure_that_needs_the_lists_length_is_left_out_by_name(rows):
    found = over_twins({"j": Judged(10), "r": Recall(10)}, rows, GatePolicy(), 7, Grain.DOCUMENT)
    assert [result.metric for result in found.results] == ["recall@10"]
    assert found.unfit == (("judged@10 (twins)", "not_applicable: needs the length of every list"),)


def test_a_measure_that_no_twin_defines_is_left_out_by_name(rows):
    """A twin's document has grade 1: of core evidence, or grade 2 and more, there is none."""
    asked = {"core": TierRecall(3), "high": Recall(10, min_grade=2), "r": Recall(10)}
    found = over_twins(asked, rows, GatePolicy(), 7, Grain.DOCUMENT)
    assert [result.metric.partition("|")[0] for result in found.results] == ["recall@10"]
    assert found.unfit == (
        ("tier_recall@3 (twins)", "not_applicable: no document is judged core evidence"),
        ("recall@10>=2 (twins)", "not_applicable: no document is judged relevant"),
    )


def test_where_every_call_failed_the_scores_are_missing_and_no_measure_is_left_out(by_hand):
    rows = [by_hand.row(1, "failed", ranks=(-1,))]
    found = over_twins({"high": Recall(10, min_grade=2)}, rows, GatePolicy(), 7, Grain.DOCUMENT)
    assert found.unfit == ()
    assert found.results[0].reasons == {"failed: the call gave no usable reply": 1}


@pytest.mark.parametrize(
    ("grain", "told"), [(Grain.DOCUMENT, "document"), (Grain.CHUNK, "passage")]
)
def test_the_identity_says_that_twins_keep_the_targets_order_and_grain(rows, grain, told):
    (found,) = over_twins({"r": Recall(10)}, rows, GatePolicy(), 7, grain).results
    assert f"ties=keep_rank unjudged=nonrelevant no_relevant=unmeasured grain={told}" in (
        found.identity
    )
