"""Every worked figure of the two source documents, with the right value where one of them errs.

K is the study of retrieval evaluation, S the article on seven measures; the number is the section.
Where a figure cannot be right, the test holds the right one and says what was printed.
"""

import pytest
from ranked_lists import judged, one

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.bpref import Bpref
from rageval_kit.metrics.f1 import F1
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.tier_recall import TierRecall

K5 = (["a", "x", "b", "y", "z"], {"a": 1, "b": 1, "c": 1, "d": 1})
S1 = (["r1", "r2", "r3", "foxconn", "fruit"], {"r1": 1, "r2": 1, "r3": 1, "missed": 1})


def listed(places, length=10):
    """A list with relevant documents at these places, and all of them judged."""
    ranking = [f"r{place}" if place in places else f"x{place}" for place in range(1, length + 1)]
    return ranking, {f"r{place}": 1 for place in places}


@pytest.mark.parametrize(
    ("metric", "value"), [(Precision(5), 0.4), (Recall(5), 0.5), (HitRate(5), 1)]
)
def test_k5_two_of_four_relevant_in_the_top_five(metric, value):
    assert one(metric, *K5) == pytest.approx(value)


@pytest.mark.parametrize(("metric", "value"), [(Precision(5), 3 / 5), (Recall(5), 3 / 4)])
def test_s1_three_of_five_are_relevant_and_one_is_missed(metric, value):
    assert one(metric, *S1) == pytest.approx(value)


def test_k6_1_first_relevant_at_1_2_and_5():
    lists = [listed({place}) for place in (1, 2, 5)]
    column = MRR(10)(judged([ranking for ranking, _ in lists], [known for _, known in lists]))
    assert column.values.tolist() == pytest.approx([1, 0.5, 0.2])


def test_s3_3_first_relevant_at_1_3_and_2_is_printed_as_61():
    lists = [listed({place}) for place in (1, 3, 2)]
    column = MRR(10)(judged([ranking for ranking, _ in lists], [known for _, known in lists]))
    assert column.values.mean() == pytest.approx(0.611, abs=5e-4)


def test_s3_4_relevant_at_2_4_and_7_is_printed_as_48():
    assert one(AP(None), *listed({2, 4, 7})) == pytest.approx((1 / 2 + 2 / 4 + 3 / 7) / 3)
    assert one(AP(None), *listed({2, 4, 7})) == pytest.approx(0.476, abs=5e-4)


def harmonic(precision, recall):
    """A list whose precision and recall at k are these: k of it returned, all else judged."""
    k = 100_000
    hits = round(precision * k)
    ranking = [f"r{n}" for n in range(hits)] + [f"x{n}" for n in range(k - hits)]
    known = {f"r{n}": 1 for n in range(hits)}
    known |= {f"m{n}": 1 for n in range(round(hits / recall) - hits)}
    return one(F1(k), ranking, known)


def test_s3_6_precision_9_and_recall_77_give_83_as_printed():
    assert harmonic(0.9, 0.77) == pytest.approx(0.830, abs=5e-4)


def test_s3_6_recall_70_and_precision_95_give_806_not_the_82_printed():
    assert harmonic(0.95, 0.70) == pytest.approx(0.8061, abs=5e-5)
    # .82 at that recall needs a precision of .9897, and .83 none could give: 2 x .7 / 1.7 = .8235
    assert harmonic(0.9897, 0.70) == pytest.approx(0.82, abs=5e-5)
    assert harmonic(1.0, 0.70) < 0.83


@pytest.mark.parametrize(
    ("grades", "value"),
    [((2, 1, 0), 1.0), ((1, 0, 2), 0.6885), ((0, 1, 2), 0.5869), ((0, 0, 2), 0.4131)],
)
def test_s3_7_the_best_document_at_rank_three_is_never_the_42_printed(grades, value):
    """With grades 2, 1, 0 judged; in the last list the document of grade 1 is not returned."""
    ranking = [f"g{grade}-{place}" for place, grade in enumerate(grades)]
    known = dict(zip(ranking, grades, strict=True))
    if 1 not in grades:
        known["elsewhere"] = 1
    assert one(NDCG(3), ranking, known) == pytest.approx(value, abs=5e-5)
    assert abs(value - 0.42) > 0.005


def test_s2_3_bpref_is_no_break_even_point():
    """It falls with each judged non-relevant document above; where they balance plays no part."""
    known = {"r1": 1, "r2": 1, "n1": 0, "n2": 0}
    assert one(Bpref(), ["r1", "n1", "r2", "n2"], known) == pytest.approx((1 + (1 - 1 / 2)) / 2)
    assert one(Bpref(), ["r1", "r2", "n1", "n2"], known) == 1.0
    assert "break-even" in Bpref.definition["en"]


def test_s3_1_core_evidence_alone_counts_two_of_two_never_three_of_two():
    known = {"A": 3, "B": 3, "C": 2, "D": 0, "E": 1}
    assert one(TierRecall(3), ["A", "B", "C"], known) == 1.0
