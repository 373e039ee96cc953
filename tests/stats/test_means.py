"""Means carry their n, their interval and what they leave out; nothing unmeasured is a number."""

import math

import numpy as np
import pytest

from rageval_kit.records.scores import ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats import aggregate, mean_interval, paired_difference


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
    difference = paired_difference(one, other, stream(1, "d"))
    assert difference.n == 2
    assert difference.mean == pytest.approx(0.0)  # -0.5 and +0.5


def test_equal_differences_have_no_interval_not_an_exact_one():
    one, other = column([0.0, 0.0, 0.0]), column([1.0, 1.0, 1.0])
    difference = paired_difference(one, other, stream(1, "d"))
    assert (difference.mean, difference.low, difference.high) == (1.0, None, None)
    assert difference.reason == "all 3 differences are 1"


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
    estimate = mean_interval(np.ones(20), stream(1, "b"))
    assert estimate.low == pytest.approx(0.025 ** (1 / 20))
    assert estimate.high == 1.0


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


def test_a_column_with_nothing_measured_has_no_value():
    result = aggregate(column([None, None], {0: "undefined: x", 1: "undefined: x"}), {"en": "d"})
    assert (result.value, result.low, result.high, result.n_scored) == (None, None, None, 0)
    assert result.reasons == {"undefined: x": 2}
    assert result.definition == {"en": "d"}
