"""Worked by hand where small; otherwise as scipy has it (asymptotic, continuity corrected)."""

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from rageval_kit.detect.apart import told_apart


def test_counts_how_often_the_first_is_the_larger_with_ties_half():
    """Of 3 x 2 pairs: 2>1, 4>1, 4>3, and 3 of 3 ties half; 2<3: 1+1+1+1+0.5 of 6."""
    found = told_apart([2, 3, 4], [1, 3])
    assert found.area == pytest.approx(4.5 / 6)
    assert found.delta == pytest.approx(0.5)


def test_wholly_apart_is_one_without_any_error():
    found = told_apart([5, 6, 7], [1, 2])
    assert (found.area, found.error) == (1.0, 0.0)
    assert told_apart([1, 2], [5, 6, 7]).area == 0.0


def test_nothing_but_ties_says_nothing():
    found = told_apart([1.0] * 9, [1.0] * 7)
    assert (found.area, found.p) == (0.5, 1.0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("n", "m", "shift", "steps"), [(30, 40, 0.0, 0), (50, 20, 0.6, 4), (9, 8, 1, 2)]
)
def test_agrees_with_scipy(seed, n, m, shift, steps):
    rng = np.random.default_rng([seed, n])
    one, two = rng.normal(shift, 1, n), rng.normal(0, 1, m)
    if steps:  # figures in few steps: many ties
        one, two = np.round(one * steps), np.round(two * steps)
    wanted = mannwhitneyu(one, two, method="asymptotic", use_continuity=True)
    found = told_apart(one.tolist(), two.tolist())
    assert found.area == pytest.approx(wanted.statistic / (n * m))
    assert found.p == pytest.approx(wanted.pvalue, rel=1e-9)


def test_its_error_is_that_of_repeated_draws():
    """DeLong's error against the spread of the area over 2,000 draws of the same two groups."""
    rng = np.random.default_rng(3)
    drawn = [told_apart(rng.normal(0.7, 1, 40), rng.normal(0, 1, 60)) for _ in range(2000)]
    spread = float(np.std([one.area for one in drawn]))
    assert float(np.mean([one.error for one in drawn])) == pytest.approx(spread, rel=0.06)
