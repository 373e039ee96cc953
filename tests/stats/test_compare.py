"""Two systems over one list of queries: what is compared, what is refused, what is left out."""

import math
from dataclasses import replace

import numpy as np
import pytest

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats import Plan, align, compare_columns, compare_many, holm, pair_stream

IDENTITY = "m version=1 ties=score_then_id"


def column(values, reasons=None, *, name="m", identity=IDENTITY):
    known = np.array([value is not None for value in values], dtype=bool)
    numbers = np.array([0.0 if value is None else value for value in values])
    return ScoreColumn(name, numbers, known, reasons or {}, identity)


def compared(one, other, plan=None):
    """Two systems as mappings of query id to score, in whatever order."""
    ids, baseline, candidate = align(
        column(list(one.values())), list(one), column(list(other.values())), list(other)
    )
    return compare_columns(baseline, candidate, pair_stream(0, "A", "B"), plan, ids=ids)


def samples(n=200, measures=3, gain=0.05):
    generator = stream(1, "samples")
    base = generator.beta(2, 3, (n, measures))
    better = np.clip(base + generator.normal(gain, 0.2, base.shape), 0, 1)
    names = [f"m{i}" for i in range(measures)]
    return tuple(
        [column(list(values), name=name) for name, values in zip(names, table.T, strict=True)]
        for table in (base, better)
    )


A_103 = {"q1": 0.1, "q2": 0.5, "q3": 0.9}
B_103 = {"q1": 0.2, "q2": 0.6, "q3": 1.0}


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_bug_103_a_constant_gain_has_a_paired_interval_of_no_width_and_is_significant(method):
    found = compared(A_103, B_103, Plan(method=method))
    assert found.difference.mean == pytest.approx(0.1, abs=1e-9)
    assert found.difference.low == pytest.approx(0.1, abs=1e-9)
    assert found.difference.high == pytest.approx(0.1, abs=1e-9)
    assert found.verdict == "higher"
    assert found.verdict == "higher"
    assert (found.n, found.n_total) == (3, 3)


def test_bug_103_that_all_differences_are_equal_is_said_beside_the_interval():
    found = compared(A_103, B_103)
    assert found.difference.reason.startswith("all 3 differences are 0.1")
    assert found.test.p == pytest.approx(1 / 4)  # three pairs cannot show more


def test_bug_103_the_order_of_rows_and_the_seed_decide_nothing_and_everything():
    shuffled = {"q3": 1.0, "q1": 0.2, "q2": 0.6}
    assert compared(A_103, shuffled) == compared(A_103, B_103)
    baseline, candidate = samples()
    ids = [f"q{i:03}" for i in range(200)]
    order = stream(2, "order").permutation(200).tolist()
    mixed = replace(candidate[0], values=candidate[0].values[order])
    straight = align(baseline[0], ids, candidate[0], ids)
    turned = align(baseline[0], ids, mixed, [ids[i] for i in order])
    results = [
        compare_columns(one, other, pair_stream(0, "A", "B"), ids=known)
        for known, one, other in (straight, turned, straight)
    ]
    assert results[0] == results[1] == results[2]


def test_bug_104_only_queries_scored_in_both_are_compared_and_the_others_are_named():
    one = {"q1": 0.9, "q2": 0.1, "q3": 0.5}
    other = {"q3": 0.5, "q1": 0.9, "q4": 1.0, "q2": None}
    found = compared(one, other)
    assert found.difference.mean == 0.0
    assert (found.n, found.n_total) == (2, 4)
    assert {left.query: left.reason for left in found.left_out} == {
        "q2": "no score in candidate: unmeasured",
        "q4": "no score in baseline: unmeasured: the query is not among its queries",
    }
    assert found.verdict not in ("higher", "lower")


def test_bug_104_below_the_configured_minimum_it_is_inconclusive():
    one = {"q1": 0.9, "q2": 0.1, "q3": 0.5}
    other = {"q3": 0.5, "q1": 0.9, "q4": 1.0, "q2": None}
    found = compared(one, other, Plan(min_n=3))
    assert found.verdict == "inconclusive"
    assert found.reason == "2 common queries, 3 are needed"


def test_a_reason_of_either_side_is_told_and_a_nan_is_no_score():
    one = column([0.1, None, 0.3, math.nan], {1: "failed: timeout"})
    other = column([0.2, None, 0.1, 0.2], {1: "undefined: x"})
    found = compare_columns(one, other, stream(1, "c"))
    assert [left.reason for left in found.left_out] == [
        "no score in baseline: failed: timeout; no score in candidate: undefined: x",
        "no score in baseline: failed: not a finite number",
    ]
    assert (found.n, found.n_total) == (2, 4)


def test_other_conventions_are_refused_and_both_named():
    one = column([0.1, 0.2])
    other = column([0.1, 0.2], identity="m version=1 ties=keep_rank")
    with pytest.raises(InputError) as refused:
        compare_columns(one, other, stream(1, "c"))
    assert IDENTITY in str(refused.value)
    assert "m version=1 ties=keep_rank" in str(refused.value)


def test_every_fault_is_told_at_once():
    baseline, candidate = samples(measures=3)
    wrong = [
        replace(candidate[0], identity="another"),
        candidate[1],
        replace(candidate[2], values=candidate[2].values[:9]),
    ]
    with pytest.raises(InputError) as refused:
        compare_many(baseline, wrong, stream(1, "c"), clusters=["a"])
    assert [fault.where for fault in refused.value.faults] == ["m0", "m2", "clusters"]


@pytest.mark.parametrize(
    ("one", "other", "fault"),
    [
        ((["q1", "q1"], [0.1, 0.2]), (["q1"], [0.1]), "names a query more than once"),
        ((["q1"], [0.1, 0.2]), (["q1"], [0.1]), "one query id for every value"),
    ],
)
def test_ids_that_do_not_fit_are_refused(one, other, fault):
    with pytest.raises(InputError, match=fault):
        align(column(one[1]), one[0], column(other[1]), other[0])


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ([None, 0.1], [0.2, None], "0 common queries, 2 are needed"),
        ([0.1, None], [0.2, None], "1 common queries, 2 are needed"),
        ([], [], "0 common queries, 2 are needed"),
    ],
)
def test_without_enough_pairs_there_is_a_reason_and_no_number(one, other, reason):
    found = compare_columns(column(one), column(other), stream(1, "c"))
    assert (found.verdict, found.reason) == ("inconclusive", reason)
    assert (found.difference.low, found.difference.high) == (None, None)


def test_a_further_measure_changes_no_number_of_the_others():
    baseline, candidate = samples()
    gaps = replace(baseline[2], measured=stream(3, "gaps").random(200) < 0.7)
    alone = compare_many(baseline[:1], candidate[:1], pair_stream(5, "A", "B"))
    together = compare_many([*baseline[:2], gaps], candidate, pair_stream(5, "A", "B"))
    assert together[0].test == alone[0].test
    assert together[0].difference.low == pytest.approx(alone[0].difference.low, abs=1e-12)
    assert together[0].difference.high == pytest.approx(alone[0].difference.high, abs=1e-12)
    assert together[2].n < together[1].n == 200
    turned = compare_many(
        [gaps, baseline[0]], [candidate[2], candidate[0]], pair_stream(5, "A", "B")
    )
    assert turned == (together[2], alone[0])  # whichever queries came first


def test_every_pair_and_measure_has_a_stream_of_its_own():
    names = [("A", "B"), ("B", "A"), ("A", "C"), ("A", "B", "m1"), ("A", "B", "m2")]
    first = {tuple(pair_stream(7, *one).integers(0, 2**62, 3).tolist()) for one in names}
    assert len(first) == 5
    again = pair_stream(7, "A", "B", "m1").integers(0, 2**62, 3)
    assert (again == pair_stream(7, "A", "B", "m1").integers(0, 2**62, 3)).all()


@pytest.mark.parametrize("kind", ["MT19937", "Philox"])
@pytest.mark.parametrize("method", ["percentile", "bca"])
@pytest.mark.parametrize("n_clusters", [None, 40])
def test_an_independent_bit_generator_finds_the_same(kind, method, n_clusters):
    # An end at 20,000 resamples errs by about .019 / .058 / sqrt(20,000) * 6.8 % of the spread.
    baseline, candidate = samples(gain=0.03)
    clusters = None if n_clusters is None else (np.arange(200) % n_clusters)
    plan = Plan(resamples=20_000, method=method)
    ours = compare_many(baseline, candidate, pair_stream(1, "A", "B"), plan, clusters=clusters)
    other = np.random.Generator(getattr(np.random, kind)(4242))
    theirs = compare_many(baseline, candidate, other, plan, clusters=clusters)
    for one, two in zip(ours, theirs, strict=True):
        error = 0.03 * (one.difference.high - one.difference.low)
        assert one.difference.low == pytest.approx(two.difference.low, abs=error)
        assert one.difference.high == pytest.approx(two.difference.high, abs=error)
        spread = math.sqrt(2 * one.test.p * (1 - one.test.p) / 20_000)
        assert one.test.p == pytest.approx(two.test.p, abs=4 * spread + 1e-4)


def test_clusters_change_sign_together():
    # Two clusters of two gains: of four signs of whole clusters two are as extreme, so p = 1/2.
    one, other = column([0.0, 0.0, 0.0, 0.0]), column([0.1, 0.3, 0.2, 0.2])
    found = compare_columns(one, other, stream(1, "c"), clusters=["a", "a", "b", "b"])
    assert found.test.p == pytest.approx(1 / 2)
    assert found.test.method == "sign flips, exact, of 2 clusters"
    assert (found.test.n, found.test.statistic) == (4, pytest.approx(0.2))
    single = compare_columns(one, other, stream(1, "c"))
    assert single.test.p == pytest.approx(2 / 16)


def test_the_p_values_of_a_comparison_can_be_adjusted_together():
    baseline, candidate = samples()
    found = compare_many(baseline, candidate, stream(1, "c"))
    adjusted = holm([one.test.p for one in found])
    assert adjusted.n == 3
    assert all(a >= one.test.p for a, one in zip(adjusted.values, found, strict=True))


def test_a_loss_is_called_lower_and_noise_undecided():
    baseline, candidate = samples(gain=0.08)
    lost = compare_columns(candidate[0], baseline[0], stream(1, "c"))
    assert lost.verdict == "lower"
    assert lost.effect.dominance < 0
    noise = column([0.1, 0.4, 0.2, 0.5]), column([0.4, 0.1, 0.5, 0.2])
    assert compare_columns(*noise, stream(1, "c")).verdict == "undecided"
