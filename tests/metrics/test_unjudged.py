"""Lowest and highest are those over every way to judge the unjudged, tried one by one."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_lists import judged, loops

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
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.faults import InputError

CUT = (Recall, HitRate, MRR, AP, NDCG, NDCGLinear, DCG, DCGLinear, TierNDCG, TierRecall)
DIVIDED = (Precision, F1, TierPrecision)
SETS = (SetPrecision, SetF1, RPrecision)
UNBOUNDED = (Bpref, Judged, Unjudged)


def bounded(k, least):
    """(name of the loop, measure) of all that have bounds; `k` None where they allow it."""
    kinds = (*CUT, *DIVIDED) if k else CUT
    for kind in (*kinds, *SETS):
        graded = "min_grade" not in kind.__dataclass_fields__
        arguments = {"min_grade": least} if not graded else {}
        if kind not in SETS:
            arguments["k"] = k
        yield kind.__module__.rpartition(".")[2], kind(**arguments)
    yield "tier_recall_weighted", TierRecall(k, count="weighted")


def every_way(ranking, grades, k, least, top):
    """The values of all measures under each way to give the unjudged grade 0 or the highest."""
    unjudged = [document for document in ranking if document not in grades]
    for chosen in product((0, top), repeat=len(unjudged)):
        yield loops(ranking, {**grades, **dict(zip(unjudged, chosen, strict=True))}, k, least)


documents = st.sampled_from([f"d{number}" for number in range(7)])
lists = st.tuples(
    st.lists(documents, unique=True, max_size=6),
    st.dictionaries(documents, st.integers(-1, 3), max_size=4),
)
batches = st.lists(lists, min_size=1, max_size=3)
cutoffs = st.one_of(st.none(), st.integers(1, 7))


@settings(max_examples=60, deadline=None)
@given(batches, cutoffs, st.integers(1, 2), st.sampled_from(["unmeasured", "zero"]))
def test_the_extremes_are_those_of_all_assignments(queries, k, least, no_relevant):
    rankings, qrels = [one for one, _ in queries], [one for _, one in queries]
    batch = {
        way: judged(rankings, qrels, unjudged=way, no_relevant=no_relevant)
        for way in ("nonrelevant", "lowest", "highest")
    }
    top = max((grade for grades in qrels for grade in grades.values()), default=0)
    ways = [list(every_way(ranking, grades, k, least, max(top, 0))) for ranking, grades in queries]
    for name, metric in bounded(k, least):
        plain, low, high = (measured(metric, one) for one in batch.values())
        assert plain.measured.tolist() == low.measured.tolist() == high.measured.tolist()
        for number, tried in enumerate(ways):
            if not plain.measured[number]:
                continue
            values = [one[name] or 0.0 for one in tried]
            assert low.values[number] == pytest.approx(min(values), abs=1e-12), name
            assert high.values[number] == pytest.approx(max(values), abs=1e-12), name
            assert low.values[number] <= plain.values[number] <= high.values[number]


def test_worked_by_hand():
    """a relevant at rank 1, x and y unjudged at 2 and 3.

    AP@2: neither 1, x (1 + 1) / 2 = 1, y 1/2, both (1 + 1) / 3: from 1/2 to 1.
    Recall@2: neither 1, x 2/2, y 1/2, both 2/3: from 1/2 to 1. Precision@2: from 1/2 to 1.
    """
    lists = ([["a", "x", "y"]], [{"a": 1}])
    for metric in (AP(2), Recall(2), Precision(2)):
        for way, expected in (("lowest", 0.5), ("highest", 1.0)):
            column = measured(metric, judged(*lists, unjudged=way))
            assert column.values.tolist() == [expected]
            assert column.metric == f"{metric.name}|unjudged={way}"
            assert f"unjudged={way}" in column.identity


def test_the_extreme_can_lie_between_none_and_all():
    """b relevant at rank 2, u unjudged at 1, w at 12: AP 1/2; with u (1 + 1) / 2 = 1.

    With w (1/2 + 2/12) / 2 = 1/3; with both (1 + 1 + 3/12) / 3 = 3/4.
    """
    ranking = ["u", "b", *(f"n{number}" for number in range(9)), "w"]
    grades = {"b": 1, **{f"n{number}": 0 for number in range(9)}}
    for way, expected in (("lowest", 1 / 3), ("highest", 1.0)):
        column = measured(AP(), judged([ranking], [grades], unjudged=way))
        assert column.values[0] == pytest.approx(expected)


def test_a_query_without_a_relevant_document_has_no_bounds_unless_it_counts_as_zero():
    lists = ([["x"]], [{"a": 0}])
    grades_elsewhere = ([*lists[0], ["b"]], [*lists[1], {"b": 1}])
    for way in ("lowest", "highest"):
        column = measured(AP(), judged(*grades_elsewhere, unjudged=way))
        assert column.measured.tolist() == [False, True]
    zero = {"no_relevant": "zero"}
    low, high = (
        measured(AP(), judged(*grades_elsewhere, unjudged=way, **zero)).values[0]
        for way in ("lowest", "highest")
    )
    assert (low, high) == (0.0, 1.0)


@pytest.mark.parametrize("way", ["nonrelevant", "condensed", "lowest", "highest"])
def test_a_failed_query_keeps_its_cause(way):
    batch = judged([["x"], []], [{"a": 1}, {"a": 1}], {1: "failed: timeout"}, unjudged=way)
    assert dict(measured(NDCG(10), batch).reasons) == {1: "failed: timeout"}


@pytest.mark.parametrize("kind", UNBOUNDED)
@pytest.mark.parametrize("way", ["lowest", "highest"])
def test_what_passes_over_the_unjudged_has_no_bounds(kind, way):
    metric = kind()
    with pytest.raises(InputError, match="has no lowest and highest value") as refused:
        measured(metric, judged([["x"]], [{"a": 1}], unjudged=way))
    assert str(refused.value).startswith(metric.name)


@pytest.mark.parametrize("kind", UNBOUNDED)
def test_what_passes_over_the_unjudged_is_read_from_the_list_as_it_came(kind):
    lists = ([["x", "n", "a"]], [{"a": 1, "n": 0}])
    condensed = measured(kind(), judged(*lists, unjudged="condensed"))
    assert condensed.values.tolist() == measured(kind(), judged(*lists)).values.tolist()
    assert condensed.metric.endswith("|unjudged=condensed")


def test_condensed_drops_what_nobody_judged():
    lists = ([["x", "m", "a"]], [{"a": 1, "m": -1}])
    column = measured(MRR(10), judged(*lists, unjudged="condensed"))
    assert column.values.tolist() == [1.0]
    assert measured(MRR(10), judged(*lists)).values.tolist() == [1 / 3]


@pytest.mark.parametrize("way", ["lowest", "highest"])
def test_bounds_without_the_places_of_the_unjudged_are_refused(way):
    batch = judged([["x"]], [{"a": 1}], unjudged=way)
    with pytest.raises(InputError, match="need the place of every unjudged result"):
        measured(NDCG(10), replace(batch, unjudged_query=None, unjudged_rank=None))


def test_every_fault_is_named_at_once():
    batch = replace(judged([["x"]], [{"a": 1}], unjudged="lowest"), unjudged_rank=None)
    with pytest.raises(InputError) as refused:
        measured(Bpref(min_grade=0), batch)
    assert len(refused.value.faults) == 3


@pytest.mark.parametrize("metric", [NDCG(10), Precision(5), Bpref()], ids=lambda one: one.name)
def test_a_measure_is_refused_at_a_grain_that_it_does_not_list(metric):
    batch = judged([["a"]], [{"a": 1}], grain="claim")
    with pytest.raises(InputError, match=r"met claim\); judge at one of: document, passage") as no:
        measured(metric, batch)
    assert str(no.value).startswith(f"{metric.name}: is not defined at this grain")


@pytest.mark.parametrize(
    "metric",
    [Recall(10), HitRate(10), MRR(10), TierRecall(10), TierRecall(10, count="weighted")],
    ids=lambda one: one.name,
)
def test_measures_of_what_was_found_make_sense_at_claim_grain(metric):
    column = measured(metric, judged([["a"]], [{"a": 3}], grain="claim"))
    assert column.values.tolist() == [1.0]
    assert column.metric == f"{metric.name}|grain=claim"


def calls_of(metric, batch):
    """How often `measured` measures, a list of 200 unjudged results before it."""
    calls = []

    class Counted(type(metric)):
        def __call__(self, judged):
            calls.append(judged)
            return super().__call__(judged)

    measured(Counted(**{name: getattr(metric, name) for name in metric.__slots__}), batch)
    return len(calls)


LONG = (
    *(Recall(None), HitRate(None), MRR(None), AP(None), DCG(None), DCGLinear(None), NDCG(None)),
    *(NDCGLinear(None), TierNDCG(None), TierRecall(None), SetPrecision(), SetF1(), RPrecision()),
    *(Precision(200), F1(200), TierPrecision(200)),
)


@pytest.mark.parametrize("metric", LONG, ids=lambda one: one.name)
@pytest.mark.parametrize("way", ["lowest", "highest"])
def test_bounds_of_a_long_list_do_not_take_a_try_for_each_unjudged_result(metric, way):
    ranking = [*(f"u{number}" for number in range(200)), "a"]
    assert calls_of(metric, judged([ranking], [{"a": 3}], unjudged=way)) <= 2


class Foreign:
    """Somebody's own average precision, which says nothing of how the unjudged change it."""

    grains = frozenset({"document"})
    name = "own"

    def __init__(self, k):
        self.k = k

    def __call__(self, batch):
        return replace(AP(self.k)(batch), metric="own")


@pytest.mark.parametrize("k", [None, 2])
@pytest.mark.parametrize("way", ["lowest", "highest"])
def test_a_measure_that_gives_no_formula_is_tried_way_by_way(k, way):
    """AP@2 of u, b, n, w (b relevant) is 1/2, with u 1, with w 1/4, with both 2/3.

    Of the whole list w adds (2/4) / 2 to that 1/4, and both come to (1 + 1 + 3/4) / 3.
    """
    batch = judged([["u", "b", "n", "w"]], [{"b": 1, "n": 0}], unjudged=way)
    lowest = 0.25 if k else 0.5
    assert measured(Foreign(k), batch).values[0] == (lowest if way == "lowest" else 1.0)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from("rnu"), max_size=9), st.integers(0, 3), st.data())
def test_r_precision_has_the_extremes_of_every_choice(kinds, unreturned, data):
    """r relevant, n not, u unjudged; the plain count of the first R for every set of promoted."""
    ranking = [f"{kind}{place}" for place, kind in enumerate(kinds)]
    grades = {one: int(one[0] == "r") for one in ranking if one[0] != "u"}
    grades |= {f"missing{number}": 1 for number in range(unreturned)}
    other = data.draw(st.lists(st.sampled_from("rnu"), max_size=4))
    batch = ([ranking, other], [grades, {"r": 1}])
    if not any(grades.values()):
        return
    tried = []
    free = [one for one in ranking if one[0] == "u"]
    for chosen in product((0, 1), repeat=len(free)):
        full = {**grades, **dict(zip(free, chosen, strict=True))}
        r = sum(full.values())
        tried.append(sum(full[one] for one in ranking[:r]) / r)
    low, high = (
        measured(RPrecision(), judged(*batch, unjudged=way)).values[0]
        for way in ("lowest", "highest")
    )
    assert (low, high) == (pytest.approx(min(tried)), pytest.approx(max(tried)))


@pytest.mark.parametrize("metric", [Recall(10), HitRate(10), MRR(10)], ids=lambda one: one.name)
def test_lists_of_claims_are_not_condensed(metric):
    """Two claims of one passage would stand at ranks 1 and 2, though one passage states both."""
    batch = judged([["a", "b"]], [{"a": 1, "b": 1}], grain="claim", unjudged="condensed")
    with pytest.raises(InputError, match="no condensed list of claims") as refused:
        measured(metric, batch)
    assert str(refused.value).startswith(metric.name)


@pytest.mark.parametrize("kind", [TierPrecision, TierNDCG, TierRecall])
@pytest.mark.parametrize("ranking", [["a", "b"], ["a"], []])
def test_a_grade_that_is_no_tier_is_refused_whatever_the_run_returned(kind, ranking):
    batch = judged([ranking], [{"a": 3, "b": 4}])
    with pytest.raises(InputError, match=r"a grade is no tier \(met 4\)"):
        kind(1)(batch)
