"""Exact bounds against the table of the catalogue, closed forms and scipy."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.records.faults import InputError
from rageval_kit.stats import clopper_pearson, upper_bound


@pytest.mark.parametrize(
    ("n", "at_95", "at_99"),
    [
        (30, 0.095, 0.142),
        (59, 0.0495, 0.075),
        (100, 0.0295, 0.045),
        (299, 0.00997, 0.0153),
        (1_000, 0.00299, 0.00459),
        (2_995, 0.00100, 0.00154),
        (10_000, 0.00030, 0.00046),
        (29_956, 0.00010, 0.000154),
    ],
)
def test_zero_leaks_buy_the_bounds_of_the_catalogue(n, at_95, at_99):
    assert upper_bound(0, n) == pytest.approx(at_95, rel=0.01)
    assert upper_bound(0, n, 0.01) == pytest.approx(at_99, rel=0.01)


@pytest.mark.parametrize(
    ("n", "share", "alpha"),
    [
        (299, 0.01, 0.05),
        (459, 0.01, 0.01),
        (2_995, 0.001, 0.05),
        (4_603, 0.001, 0.01),
        (29_956, 0.0001, 0.05),
        (46_050, 0.0001, 0.01),
    ],
)
def test_the_sizes_of_the_catalogue_are_the_least_that_reach_their_bound(n, share, alpha):
    assert upper_bound(0, n, alpha) <= share < upper_bound(0, n - 1, alpha)


@pytest.mark.parametrize(
    ("k", "n"),
    [(0, 1), (1, 1), (1, 2), (3, 59), (59, 59), (7, 1_000), (999, 1_000), (12, 10**6)],
)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_agrees_with_scipy(k, n, confidence):
    from scipy.stats import beta, binomtest

    expected = binomtest(k, n).proportion_ci(confidence, method="exact")
    assert clopper_pearson(k, n, confidence) == pytest.approx(tuple(expected), abs=1e-10)
    one_sided = beta.ppf(confidence, k + 1, n - k) if k < n else 1.0
    assert upper_bound(k, n, 1 - confidence) == pytest.approx(one_sided, abs=1e-10)


@settings(max_examples=40)
@given(st.integers(1, 60), st.data(), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_bound_is_where_k_or_fewer_becomes_improbable(n, data, alpha):
    k = data.draw(st.integers(0, n - 1))
    p = upper_bound(k, n, alpha)
    seen = math.fsum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))
    assert seen == pytest.approx(alpha, abs=1e-10)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_impossible_counts_are_refused(k, n):
    with pytest.raises(InputError, match="0 <= k <= n"):
        upper_bound(k, n)


@pytest.mark.parametrize("alpha", [0.0, 1.0, math.nan])
def test_an_impossible_confidence_is_refused(alpha):
    with pytest.raises(InputError, match="between 0 and 1"):
        upper_bound(0, 5, alpha)
    with pytest.raises(InputError, match="between 0 and 1"):
        clopper_pearson(0, 5, alpha)
