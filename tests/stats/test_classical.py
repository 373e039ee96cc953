"""The paired t test and Wilcoxon's signed ranks against scipy with its defaults."""

import numpy as np
import pytest

from rageval_kit.records.streams import stream
from rageval_kit.stats import paired_t, wilcoxon
from rageval_kit.stats.distributions import normal_quantile, normal_share, student_quantile


@pytest.mark.parametrize("n", [2, 3, 10, 300, 6980])
@pytest.mark.parametrize("shift", [0.0, 0.05, 1.0])
def test_t_agrees_with_scipy(n, shift):
    from scipy.stats import ttest_rel

    generator = stream(1, "t", str(n))
    one, other = generator.random(n), generator.random(n) + shift
    theirs, ours = ttest_rel(other, one), paired_t(other - one)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-8, abs=1e-250)


@pytest.mark.parametrize("df", [1, 2, 9, 30, 500])
@pytest.mark.parametrize("share", [0.001, 0.025, 0.5, 0.8, 0.975, 0.9999])
def test_student_quantiles_agree_with_scipy(df, share):
    from scipy.stats import t

    assert student_quantile(share, df) == pytest.approx(t.ppf(share, df), rel=1e-8, abs=1e-7)


@pytest.mark.parametrize("z", [-6.0, -1.96, 0.0, 0.3, 4.0])
def test_normal_shares_and_quantiles_agree_with_scipy(z):
    from scipy.stats import norm

    assert normal_share(z) == pytest.approx(norm.cdf(z), rel=1e-12)
    assert normal_quantile(norm.cdf(z)) == pytest.approx(z, abs=1e-8)


@pytest.mark.parametrize("n", [1, 2, 6, 13, 14, 30, 50, 51, 400])
@pytest.mark.parametrize("grid", [None, 4], ids=["distinct", "ties_and_zeros"])
def test_wilcoxon_agrees_with_the_defaults_of_scipy(n, grid):
    from scipy import stats

    differences = stream(2, "w", str(n)).normal(0.2, 1, n)
    if grid:
        differences = np.round(differences * grid) / grid
        differences[0] = 0.5
    theirs, ours = stats.wilcoxon(differences), wilcoxon(differences)
    assert ours.statistic == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert ours.n == n


def test_the_method_is_named():
    assert wilcoxon(np.arange(1.0, 51)).method == "wilcoxon, exact"
    assert wilcoxon(np.arange(1.0, 52)).method == "wilcoxon, normal approximation"


def test_wilcoxon_worked_by_hand():
    # Ranks 1, 2, 3 with 1 negative: 2 of 8 signs have a rank sum of at most 1; two-sided 4 of 8.
    found = wilcoxon(np.array([-0.1, 0.2, 0.3]))
    assert (found.statistic, found.p) == (1.0, pytest.approx(0.5))


def test_differences_that_differ_only_by_rounding_are_ties():
    # .6 - .5 and .2 - .1 are not the same float; both rank 1.5, and 0.7 ranks 3.
    found = wilcoxon(np.array([0.6 - 0.5, -(0.2 - 0.1), 0.7]))
    assert found.statistic == 1.5


@pytest.mark.parametrize("test", [paired_t, wilcoxon])
@pytest.mark.parametrize(
    ("differences", "says"),
    [
        ([], "nothing was measured in both"),
        ([0.0, 0.0], "all 2 differences are"),
        ([np.inf], "fin"),
    ],
)
def test_degenerate_differences_give_a_reason(test, differences, says):
    found = test(np.array(differences))
    assert (found.p, found.statistic, found.n) == (None, None, len(differences))
    assert says in found.reason


def test_one_difference_has_no_t():
    assert paired_t(np.array([0.3])).reason == "one difference has no spread"
