"""Intervals hold the truth, and tests err, about as often as they claim (fixed seeds).

A share of s in r repetitions errs by sqrt(s (1 - s) / r); the tolerances are some three of these
beyond the known shortfall of the bootstrap at the given n.
"""

import numpy as np
import pytest

from rageval_kit.records.streams import stream
from rageval_kit.stats import (
    clopper_pearson,
    mean_interval,
    mean_intervals,
    paired_t,
    sign_flip,
    sign_flips,
    wilcoxon,
)

REPETITIONS = 600
LEVEL = 0.05


def held(intervals, truth):
    return np.mean([one.low <= truth <= one.high for one in intervals])


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_intervals_of_a_skewed_mean_hold_the_truth(method):
    # Beta(.6, 3) has mean 1/6; at n = 100 the shortfall is below .015, and 3 errors are .027.
    samples = stream(1, "coverage").beta(0.6, 3, (100, REPETITIONS))
    intervals = mean_intervals(samples, stream(2, "b"), resamples=1500, method=method)
    assert held(intervals, 1 / 6) == pytest.approx(0.95, abs=0.04)


def test_only_whole_clusters_hold_the_truth_where_queries_of_one_document_are_alike():
    generator = stream(3, "clusters")
    names = np.repeat(np.arange(40), 6)
    shared, own = generator.beta(2, 2, (40, REPETITIONS)), generator.normal(0, 0.1, (240, 600))
    samples = shared[names] + own
    whole = mean_intervals(samples, stream(4, "b"), resamples=1000, clusters=names)
    single = mean_intervals(samples, stream(4, "b"), resamples=500)
    assert held(whole, 0.5) == pytest.approx(0.94, abs=0.035)
    assert held(single, 0.5) < 0.7


@pytest.mark.parametrize(("n", "share"), [(10, 0.1), (30, 0.02), (100, 0.5)])
def test_exact_intervals_hold_the_truth_at_least_as_often_as_claimed(n, share):
    # No simulation: the probability of every count k whose interval holds the share.
    from scipy.stats import binom

    low_high = [clopper_pearson(k, n) for k in range(n + 1)]
    holds = [low <= share <= high for low, high in low_high]
    assert binom.pmf(np.arange(n + 1), n, share)[holds].sum() >= 0.95


def test_a_perfect_sample_has_an_interval_with_the_truth_in_it():
    # Right in 97 of 100: 20 of 20 are right in .97^20 = 54 % of samples.
    samples = (stream(5, "perfect").random((400, 20)) < 0.97).astype(float)
    intervals = [
        mean_interval(one, stream(6, "b"), resamples=300, unit_interval=True) for one in samples
    ]
    perfect = [one for one, sample in zip(intervals, samples, strict=True) if sample.all()]
    assert len(perfect) > 150
    assert all(one.low <= 0.97 <= one.high for one in perfect)


@pytest.mark.parametrize("n", [10, 40])
def test_sign_flips_err_at_the_level(n):
    # Symmetric, with ties and zeros as differences of scores have them: 3 errors are .027.
    generator = stream(7, "null", str(n))
    columns = np.round(generator.normal(0, 1, (n, REPETITIONS)), 1)
    columns[generator.random(columns.shape) < 0.2] = 0
    found = sign_flips(columns, stream(8, "p"), resamples=999)
    share = np.mean([one.p <= LEVEL for one in found])
    assert share == pytest.approx(LEVEL, abs=0.027)


@pytest.mark.parametrize("test", [paired_t, wilcoxon])
def test_classical_err_at_the_level(test):
    columns = stream(9, "null").normal(0, 1, (25, 1500))
    share = np.mean([test(column).p <= LEVEL for column in columns.T])
    assert share == pytest.approx(LEVEL, abs=0.017)


def test_a_true_gain_is_found():
    # Size .5 over 50 pairs: a t test has power .93; the sign flips come within .05 of it.
    columns = stream(10, "gain").normal(0.5, 1, (50, 300))
    found = sign_flips(columns, stream(11, "p"), resamples=999)
    assert np.mean([one.p <= LEVEL for one in found]) == pytest.approx(0.93, abs=0.05)
    assert sign_flip(columns[:, 0] * 0, stream(11, "p")).p == 1.0
