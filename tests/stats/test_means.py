"""Means carry their n, their interval and what they leave out; nothing unmeasured is a number."""

import math

import numpy as np
import pytest

from rageval_kit.records.scores import ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats import aggregate, compare_columns, mean_interval, mean_intervals


def column(values, reasons=None, name="m"):
    known = np.array([value is not None for value in values])
    numbers = np.array([0.0 if value is None else value for value in values])
    return ScoreColumn(name, numbers, known, reasons or {})


def test_bug_018_an_unmeasured_score_is_not_averaged_as_zero():
    result = aggregate(column([0.8, None, 0.6], {1: "failed: unparsable"}))
    assert result.value == pytest.approx(0.7)
    assert (result.n_scored, result.n_total) == (2, 3)
    assert result.reasons == {"failed: unparsable": 1}


def test_bug_018_a_nan_that_claims_to_be_measured_is_not():
    values = np.array([0.8, math.nan, 0.6])
    result = aggregate(ScoreColumn("judge", values, np.array([True, True, True])))
    assert result.value == pytest.approx(0.7)
    assert result.reasons == {"failed: not a finite number": 1}


def test_bug_020_a_rate_limit_is_neither_wrong_nor_gone():
    result = aggregate(column([1.0, 1.0, 0.0, None], {3: "blocked: rate_limited"}))
    assert result.value == pytest.approx(2 / 3)
    assert (result.n_scored, result.n_total) == (3, 4)
    assert result.reasons == {"blocked: rate_limited": 1}


def test_bug_020_systems_are_compared_on_queries_scored_in_both():
    one, other = column([1.0, 0.0, None, 0.5]), column([0.5, None, 1.0, 1.0])
    compared = compare_columns(one, other, stream(1, "d"))
    assert compared.n == 2
    assert compared.difference.mean == pytest.approx(0.0)  # -0.5 and +0.5


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "nothing was measured"),
        ([0.4], "one value has no spread"),
        ([0.5, 0.5, 0.5], "all 3 values are equal"),
        ([0.5, math.inf], "a value is not a finite number"),
    ],
)
def test_without_spread_there_is_a_reason_instead_of_bounds(values, reason):
    estimate = mean_interval(np.array(values, dtype=np.float64), stream(1, "b"))
    assert (estimate.low, estimate.high) == (None, None)
    assert estimate.reason == reason


def test_all_ones_get_the_exact_interval_of_a_share():
    # 20 of 20: the two-sided exact lower end is 0.025^(1/20).
    estimate = mean_interval(np.ones(20), stream(1, "b"), unit_interval=True)
    assert estimate.low == pytest.approx(0.025 ** (1 / 20))
    assert estimate.high == 1.0


@pytest.mark.parametrize("only", [0.0, 1.0])
def test_what_may_lie_beyond_0_and_1_gets_no_interval_of_a_share(only):
    # A gain of 5 documents may be 7: five values of 0 or 1 say nothing about how far others lie.
    sure = ScoreColumn("recall@10", np.full(5, only), np.ones(5, bool), unit_interval=True)
    free = ScoreColumn("dcg@10", np.full(5, only), np.ones(5, bool))
    exact, none = aggregate(sure), aggregate(free)
    assert exact.high - exact.low == pytest.approx(1 - 0.025 ** (1 / 5))
    assert exact.interval_note == f"all 5 values are {only:g}: exact interval"
    assert (none.low, none.high) == (None, None)
    assert none.interval_note == "all 5 values are equal"


def test_the_interval_is_that_of_the_mean():
    # 400 values of 0 and 1, mean .3: standard error sqrt(.21 / 400) = .0229, so +- .0449.
    values = np.array([1.0] * 120 + [0.0] * 280)
    estimate = mean_interval(values, stream(1, "b"))
    assert estimate.low == pytest.approx(0.3 - 0.0449, abs=0.006)
    assert estimate.high == pytest.approx(0.3 + 0.0449, abs=0.006)


def test_the_interval_is_the_same_where_every_score_is_distinct():
    # Uniform on [0, 1): standard deviation 1/sqrt(12), n = 300, so +- 1.96 * .01667 = .0327.
    values = (np.arange(300) + 0.5) / 300
    estimate = mean_interval(values, stream(1, "b"))
    assert estimate.low == pytest.approx(0.5 - 0.0327, abs=0.004)
    assert estimate.high == pytest.approx(0.5 + 0.0327, abs=0.004)


def test_agrees_with_scipy_bootstrap():
    from scipy.stats import bootstrap

    values = stream(3, "sample").beta(2, 5, size=80)
    theirs = bootstrap(
        (values,), np.mean, method="percentile", n_resamples=8000, rng=stream(4, "theirs")
    ).confidence_interval
    ours = mean_interval(values, stream(5, "ours"), resamples=8000)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.003)


def test_the_same_seed_gives_the_same_interval_whatever_else_was_aggregated():
    scores = column([0.1, 0.9, 0.4, 0.6])
    first = aggregate(scores, seed=9)
    aggregate(column([0.2, 0.3, 0.9], name="other"), seed=9)
    assert aggregate(scores, seed=9) == first


@pytest.mark.parametrize("n", [7, 400, 2500])
def test_equal_values_have_equal_ends_under_any_name_and_beside_any_others(n):
    values = stream(3, "sample").beta(2, 5, size=n)
    alone = aggregate(ScoreColumn("recall@10", values, np.ones(n, bool)), seed=7)
    named = aggregate(ScoreColumn("recall@10|ties=keep_rank", values, np.ones(n, bool)), seed=7)
    assert (alone.low, alone.high) == (named.low, named.high)
    beside = mean_intervals(np.column_stack((values, values**2)), stream(7, "bootstrap"))[0]
    assert (alone.low, alone.high) == (beside.low, beside.high)


def test_without_resamples_there_is_a_mean_that_says_why_it_has_no_interval():
    result = aggregate(column([0.5, 1.0]), resamples=0)
    assert (result.value, result.low, result.interval_note) == (0.75, None, "not asked for")


def test_a_column_with_nothing_measured_has_no_value():
    result = aggregate(column([None, None], {0: "undefined: x", 1: "undefined: x"}), {"en": "d"})
    assert (result.value, result.low, result.high, result.n_scored) == (None, None, None, 0)
    assert result.reasons == {"undefined: x": 2}
    assert result.definition == {"en": "d"}
