"""Each measure against a plain loop and another implementation, and the laws that hold for it.

Worked by hand (both seeds; relevant d1 3, d2 2, d6 1, ranked d3 d1 d4 d2 d5):
K14: AP (1/2 + 2/4) / 3 = .3333, nDCG@5 (7/log2(3) + 3/log2(5)) / (7 + 3/log2(3) + 1/2) = .60776.
S3.4: relevant at ranks 2, 4, 7: AP (1/2 + 2/4 + 3/7) / 3 = .476 (the seed rounds to .48).
S3.6: precision .9 and recall .77 give F1 .830; .95 and .70 give .8061, not the seed's .82.
S3.7: grades 2 and 1 in the orders [1,0,2], [0,1,2], [0,0,2] give .6885, .5869, .4131: moving the
document of grade 2 to rank 3 gives .42 in the seed, which is none of them.
"""

import random
import warnings
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_lists import judged, loops, one

from rageval_kit.metrics.ap import AP
from rageval_kit.metrics.bpref import Bpref
from rageval_kit.metrics.dcg import DCG
from rageval_kit.metrics.dcg_linear import DCGLinear
from rageval_kit.metrics.f1 import F1
from rageval_kit.metrics.hit_rate import HitRate
from rageval_kit.metrics.judged import Judged
from rageval_kit.metrics.mrr import MRR
from rageval_kit.metrics.ndcg import NDCG
from rageval_kit.metrics.ndcg_linear import NDCGLinear
from rageval_kit.metrics.precision import Precision
from rageval_kit.metrics.r_precision import RPrecision
from rageval_kit.metrics.recall import Recall
from rageval_kit.metrics.set_f1 import SetF1
from rageval_kit.metrics.set_precision import SetPrecision
from rageval_kit.metrics.tier_ndcg import TierNDCG
from rageval_kit.metrics.tier_precision import TierPrecision
from rageval_kit.metrics.tier_recall import TierRecall
from rageval_kit.metrics.unjudged import Unjudged
from rageval_kit.records.faults import InputError

BINARY = (Recall, HitRate, MRR, Precision, F1, AP)
GRADED = (NDCG, NDCGLinear, DCG, DCGLinear, Judged, Unjudged, TierNDCG, TierRecall, TierPrecision)
SETS = (SetPrecision, SetF1, RPrecision, Bpref)
ALL = (*BINARY, *GRADED, *SETS)
NEED_K = (Precision, F1, Unjudged, TierPrecision)


def made(k, least):
    """Every measure by the name of its loop."""
    kinds = {kind.__module__.rpartition(".")[2]: kind for kind in ALL}
    metrics = {name: kind(k, least) for name, kind in kinds.items() if kind in BINARY}
    metrics |= {name: kind(k) for name, kind in kinds.items() if kind in GRADED}
    metrics |= {name: kind(least) for name, kind in kinds.items() if kind in SETS}
    return metrics | {"tier_recall_weighted": TierRecall(k, count="weighted")}


documents = st.sampled_from([f"d{number}" for number in range(8)])
rankings = st.lists(documents, unique=True, max_size=8)
qrels = st.dictionaries(documents, st.integers(-2, 3), max_size=8)
queries = st.lists(st.tuples(rankings, qrels), min_size=1, max_size=5)


@given(queries, st.integers(1, 9), st.integers(1, 3))
def test_every_measure_agrees_with_its_loop(lists, k, least):
    batch = judged([ranking for ranking, _ in lists], [grades for _, grades in lists])
    metrics = made(k, least)
    columns = {name: metric(batch) for name, metric in metrics.items()}
    for number, (ranking, grades) in enumerate(lists):
        expected = loops(ranking, grades, k, least)
        assert set(expected) == set(columns)
        for name, column in columns.items():
            value = column.values[number] if column.measured[number] else None
            assert value == pytest.approx(expected[name], abs=1e-12), name
            assert column.measured[number] == (number not in column.reasons)


@given(queries)
def test_without_a_cutoff_the_whole_list_counts(lists):
    batch = judged([ranking for ranking, _ in lists], [grades for _, grades in lists])
    for kind in (Recall, HitRate, MRR, AP, NDCG, NDCGLinear, DCG, DCGLinear, Judged, TierNDCG):
        whole, deep = kind(None)(batch), kind(8)(batch)
        assert whole.values.tolist() == deep.values.tolist()
        assert whole.metric == kind.__module__.rpartition(".")[2]


@given(rankings, qrels, st.integers(1, 8), st.integers(1, 3), st.randoms())
def test_shuffling_below_k_changes_nothing(ranking, grades, k, least, chance):
    below = ranking[k:]
    chance.shuffle(below)
    metrics = made(k, least)
    for name, metric in metrics.items():
        if name not in ("r_precision", "bpref"):  # they have no k
            assert one(metric, ranking, grades) == one(metric, ranking[:k] + below, grades), name


@given(queries, st.integers(1, 9), st.integers(1, 3))
def test_every_share_lies_between_0_and_1(lists, k, least):
    batch = judged([ranking for ranking, _ in lists], [grades for _, grades in lists])
    for name, metric in made(k, least).items():
        values = metric(batch).values
        assert np.isfinite(values).all()
        assert (values >= 0).all()
        assert name.startswith("dcg") or (values <= 1).all(), name


@given(rankings.filter(lambda one: len(one) > 1), qrels, st.integers(1, 8), st.data())
def test_moving_a_better_document_up_never_lowers(ranking, grades, k, data):
    first, second = sorted(
        data.draw(st.lists(st.integers(0, len(ranking) - 1), min_size=2, max_size=2, unique=True))
    )
    # A document without a judgment, or with one below 0, is worth as much as grade 0; bpref passes
    # over it, so that only documents judged 0 or above can be compared in its eyes.
    worth = [grades.get(ranking[place], -1) for place in (first, second)]
    better = list(ranking)
    if max(worth[0], 0) < max(worth[1], 0):
        better[first], better[second] = better[second], better[first]
    for name, metric in made(k, 1).items():
        if name == "bpref" and min(worth) < 0:
            continue
        if name in ("judged", "unjudged"):
            continue
        before, after = one(metric, ranking, grades), one(metric, better, grades)
        assert (before is None) == (after is None)
        assert before is None or after >= before - 1e-12, name


@given(qrels.filter(lambda grades: any(grade > 0 for grade in grades.values())), st.integers(1, 8))
def test_the_ideal_ranking_scores_exactly_1(grades, k):
    ideal = sorted(grades, key=grades.__getitem__, reverse=True)
    for metric in (NDCG(k), NDCGLinear(k), TierNDCG(k), RPrecision(), AP(), Bpref()):
        assert one(metric, ideal, grades) == 1
    assert one(TierRecall(None, count="weighted"), ideal, grades) == 1


THEIRS = {
    **{f"P_{k}": Precision(k) for k in (1, 5, 10)},
    **{f"recall_{k}": Recall(k) for k in (5, 10)},
    **{f"map_cut_{k}": AP(k) for k in (5, 10)},
    **{f"ndcg_cut_{k}": NDCGLinear(k) for k in (5, 10)},
    "map": AP(),
    "ndcg": NDCGLinear(None),
    "recip_rank": MRR(None),
    "Rprec": RPrecision(),
    "bpref": Bpref(),
    "set_P": SetPrecision(),
    "set_F": SetF1(),
    "success_5": HitRate(5),
}


def random_lists(queries, levels):
    """Whole scores, none tied; some result is judged 0 or above."""
    choose = random.Random(11)
    for _ in range(queries):
        pool = [f"d{number:03d}" for number in range(60)]
        choose.shuffle(pool)
        grades = {document: choose.choice(levels) for document in choose.sample(pool, 25)}
        yield pool[: choose.randint(1, 40)], {**grades, "never": 1}


@pytest.mark.parametrize("least", [1, 2])
def test_agrees_with_pytrec_eval_where_that_is_right(least):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pytrec_eval
    lists = list(random_lists(150, (-1, 0, 0, 1, 2, 3)))
    run = {
        f"q{number}": {document: 100.0 - rank for rank, document in enumerate(ranking)}
        for number, (ranking, _) in enumerate(lists)
    }
    truth = {f"q{number}": grades for number, (_, grades) in enumerate(lists)}
    other = pytrec_eval.RelevanceEvaluator(truth, set(THEIRS), relevance_level=least)
    result = other.evaluate(run)
    batch = judged([one for one, _ in lists], [one for _, one in lists], no_relevant="zero")
    for name, metric in THEIRS.items():
        if least > 1 and "min_grade" in {one.name for one in fields(metric)}:
            metric = type(metric)(**{**as_fields(metric), "min_grade": least})  # noqa: PLW2901
        expected = [result[f"q{number}"][name] for number in range(len(lists))]
        assert metric(batch).values.tolist() == pytest.approx(expected, abs=1e-12), name


def as_fields(metric):
    return {one.name: getattr(metric, one.name) for one in fields(metric)}


K14 = (["d3", "d1", "d4", "d2", "d5"], {"d1": 3, "d2": 2, "d6": 1})
S34 = ([*"abcdefghij"], {"b": 1, "d": 1, "g": 1})
S37 = {"A": 2, "B": 1, "C": 0}


@pytest.mark.parametrize(
    ("metric", "lists", "expected"),
    [
        (Precision(5), K14, 0.4),
        (AP(5), K14, 1 / 3),
        (NDCG(5), K14, 0.60776),
        (AP(), S34, 10 / 21),
        (NDCG(3), (["B", "C", "A"], S37), 0.6885),
        (NDCG(3), (["C", "B", "A"], S37), 0.5869),
        (NDCG(3), (["C", "x", "A"], S37), 0.4131),
        (NDCG(3), (["A", "B", "C"], S37), 1.0),
        (DCG(3), (["A", "B", "C"], S37), 3.6309),
        (DCGLinear(3), (["A", "B", "C"], S37), 2.6309),
        # two relevant, one judged not: a stands above it, b below it: (1 + (1 - 1/1)) / 2
        (Bpref(), (["a", "n", "x", "b"], {"a": 1, "b": 1, "n": 0}), 0.5),
        (Bpref(), (["a", "n", "x", "b"], {"a": 1, "b": 1, "n": -1}), 1.0),  # -1 is passed over
        (RPrecision(), (["a", "x", "b"], {"a": 1, "b": 1}), 0.5),
        (Judged(10), (["a", "x", "m", "z"], {"a": 1, "z": 0, "m": -1}), 0.5),
        (Unjudged(10), (["a", "x", "m", "z"], {"a": 1, "z": 0, "m": -1}), 0.2),
        (TierPrecision(4), (["a", "b", "c"], {"a": 3, "b": 2, "c": 1}), 0.4),
    ],
)
def test_agrees_with_the_worked_examples(metric, lists, expected):
    assert one(metric, *lists) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("precision", "recall", "f1"), [(0.9, 0.77, 0.830), (0.95, 0.7, 0.8061)])
def test_f1_of_the_seed_with_the_right_value(precision, recall, f1):
    found = 1197  # of 1330 and 1555, or of 1260 and 1710: the precision and recall printed
    k, relevant = round(found / precision), round(found / recall)
    ranking = [f"r{number}" for number in range(found)]
    grades = {f"r{number}": 1 for number in range(relevant)}
    assert one(F1(k), ranking, grades) == pytest.approx(f1, abs=5e-4)


@pytest.mark.parametrize("kind", ALL)
def test_a_query_with_a_failed_call_is_unmeasured_with_its_cause(kind):
    failed = judged([["a"], []], [{"a": 3}, {"a": 3}], unranked={1: "failed: timeout"})
    column = kind()(failed)
    assert column.measured.tolist() == [True, False]
    assert dict(column.reasons) == {1: "failed: timeout"}


@pytest.mark.parametrize("kind", [one for one in ALL if one not in (Judged, Unjudged)])
def test_without_a_relevant_document_every_measure_of_relevance_is_undefined(kind):
    column = kind()(judged([["a"], ["a"]], [{"a": 3}, {"a": 0}]))
    assert column.measured.tolist() == [True, False]
    assert column.reasons[1].startswith("undefined: no document is judged ")


@pytest.mark.parametrize("kind", [one for one in ALL if one not in (Judged, Unjudged)])
def test_a_query_that_returned_nothing_scores_zero(kind):
    column = kind()(judged([[]], [{"a": 3}]))
    assert column.measured.all()
    assert column.values.tolist() == [0.0]


def test_coverage_of_an_empty_list_is_undefined_and_its_unjudged_share_is_zero():
    empty = judged([[]], [{"a": 1}])
    assert dict(Judged(10)(empty).reasons) == {0: "undefined: nothing was returned"}
    assert Unjudged(10)(empty).values.tolist() == [0.0]


@pytest.mark.parametrize("kind", ALL)
def test_no_query_at_all_is_an_empty_column(kind):
    assert len(kind()(judged([], [])).values) == 0


@pytest.mark.parametrize("kind", [*BINARY, *GRADED])
@pytest.mark.parametrize("k", [0, -1, True, 1.5])
def test_a_cutoff_that_is_none_is_refused(kind, k):
    with pytest.raises(InputError, match="k must be 1 or more"):
        kind(k)


@pytest.mark.parametrize("kind", NEED_K)
def test_a_measure_that_divides_by_k_names_what_to_use_without_one(kind):
    with pytest.raises(InputError, match="divides by k and cannot do without one") as refused:
        kind(None)
    way_out = {Precision: "set_precision", F1: "set_f1", Unjudged: "judged"}.get(kind, "a cutoff")
    assert way_out in str(refused.value)


@pytest.mark.parametrize("kind", [SetPrecision, SetF1, Judged, Unjudged])
def test_a_measure_of_lengths_is_refused_where_nobody_knows_them(kind):
    from dataclasses import replace

    with pytest.raises(InputError, match="needs the length of every list"):
        kind()(replace(judged([["a"]], [{"a": 1}]), returned=None))


def test_a_grade_past_all_numbers_is_refused_and_a_large_one_is_exact():
    assert one(NDCG(10), ["b", "a"], {"a": 1000, "b": 1}) == pytest.approx(0.6309297535714575)
    for metric in (NDCG(10), DCG(10)):
        with pytest.raises(
            InputError, match=r"no number above grade 1000 \(met 1001\); use ndcg_l"
        ):
            metric(judged([["a"]], [{"a": 1001}]))
    assert one(NDCGLinear(10), ["b", "a"], {"a": 10**15, "b": 0}) == pytest.approx(0.6309297535)


@pytest.mark.parametrize("kind", [TierRecall, TierPrecision, TierNDCG])
def test_a_grade_that_is_no_tier_is_refused(kind):
    with pytest.raises(InputError, match=r"a grade is no tier \(met 4\)"):
        kind()(judged([["a"]], [{"a": 4}]))


@pytest.mark.parametrize("kind", [TierRecall, TierPrecision, TierNDCG])
@pytest.mark.parametrize("weights", [(0.5, 1.0, 0.1), (2.0, 0.5, 0.1), (1, 0.5, -0.1), (0, 0, 0)])
def test_weights_that_do_not_fall_from_1_are_refused(kind, weights):
    core, supporting, marginal = weights
    with pytest.raises(InputError, match="evidence tiers: weights must fall"):
        kind(core=core, supporting=supporting, marginal=marginal)


def test_other_weights_are_part_of_the_name():
    assert TierNDCG(3, supporting=0.25).name == "tier_ndcg@3[1,0.25,0.1]"
    assert TierRecall(3, "weighted", 0.9).name == "tier_recall@3[weighted][0.9,0.5,0.1]"
    assert TierPrecision(3).name == "tier_precision@3"


@pytest.mark.parametrize("kind", ALL)
def test_each_metric_defines_itself_in_both_languages(kind):
    assert set(kind.definition) == {"en", "zh"}
    assert kind.version == 1
    assert all(len(text) > 40 for text in kind.definition.values())
