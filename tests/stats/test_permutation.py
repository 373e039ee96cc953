"""Sign flips against enumeration by plain loops and against scipy.stats.permutation_test."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.records.faults import InputError
from rageval_kit.records.streams import stream
from rageval_kit.stats import sign_flip, sign_flips


def enumerated(differences):
    observed = abs(sum(differences))
    signs = list(product((-1, 1), repeat=len(differences)))
    sums = [abs(sum(s * d for s, d in zip(one, differences, strict=True))) for one in signs]
    return sum(one >= observed - 1e-9 for one in sums) / len(signs)


def test_three_equal_gains_have_p_one_quarter():
    # Of 8 signs, +++ and --- are as extreme.
    found = sign_flip(np.array([0.1, 0.6 - 0.5, 1.0 - 0.9]), stream(1, "p"))
    assert found.p == pytest.approx(1 / 4)
    assert found.statistic == pytest.approx(0.1)
    assert (found.n, found.method) == (3, "sign flips, exact")


@given(st.lists(st.integers(-8, 8).map(lambda i: i / 10), min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_exact_p_is_that_of_every_sign(differences):
    assert sign_flip(np.array(differences), stream(1, "p")).p == pytest.approx(
        enumerated(differences)
    )


def test_exact_p_agrees_with_scipy():
    from scipy.stats import permutation_test

    differences = stream(2, "d").normal(0.3, 1, 12)
    theirs = permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(differences, stream(3, "p")).p == pytest.approx(theirs.pvalue)


def test_thirty_six_successes_and_failures_are_a_sign_test_with_exact_p():
    from scipy.stats import binomtest

    differences = np.array([1.0] * 25 + [-1.0] * 11 + [0.0] * 50)
    found = sign_flip(differences, stream(1, "p"))
    assert found.p == pytest.approx(binomtest(25, 36).pvalue, rel=1e-12)
    assert found.n == 86


@pytest.mark.parametrize("kind", ["PCG64", "MT19937", "Philox"])
def test_drawn_signs_agree_with_the_exact_sign_test_under_any_generator(kind):
    # 60 differences of +-1: the exact p is binomial; 20,000 draws err by sqrt(p q / 20,000).
    from scipy.stats import binomtest

    differences = np.array([1.0] * 37 + [-1.0] * 23)
    found = sign_flip(
        differences, np.random.Generator(getattr(np.random, kind)(5)), resamples=20_000
    )
    exact = binomtest(37, 60).pvalue
    assert found.p == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 20_000))
    assert found.method == "sign flips, 20000 drawn"


def test_drawn_signs_agree_with_scipy_on_many_distinct_differences():
    from scipy.stats import permutation_test

    columns = stream(4, "d").normal(0.12, 1, (150, 3))
    ours = sign_flips(columns, stream(5, "p"), resamples=20_000)
    for column, found in zip(columns.T, ours, strict=True):
        theirs = permutation_test(
            (column,),
            lambda x, axis: x.mean(axis=axis),
            vectorized=True,
            permutation_type="samples",
            n_resamples=20_000,
            rng=stream(6, "t"),
        )
        spread = np.sqrt(2 * found.p * (1 - found.p) / 20_000)
        assert found.p == pytest.approx(theirs.pvalue, abs=4 * spread + 1e-3)


def test_a_difference_beyond_every_draw_has_the_smallest_p_there_is():
    found = sign_flip(stream(7, "d").normal(1, 0.1, 200), stream(8, "p"), resamples=999)
    assert found.p == 1 / 1000


def test_sums_that_are_equal_count_as_extreme_however_they_round():
    # Every sign gives |sum| >= .1; the observed sum is .1 up to rounding, so p is 1.
    differences = np.array([0.1, -0.1] * 24 + [0.1])
    assert abs(differences.sum()) != 0.1 or (differences.sum() == 0.1)
    assert sign_flip(differences, stream(9, "p"), resamples=500).p == 1.0


def test_a_further_column_changes_no_number_of_the_others():
    columns = stream(10, "d").normal(0.1, 1, (120, 4))
    assert sign_flips(columns[:, :1], stream(11, "p")) == sign_flips(columns, stream(11, "p"))[:1]


@pytest.mark.parametrize(
    ("differences", "p", "reason"),
    [
        ([], None, "nothing was measured in both"),
        ([0.0, 0.0], 1.0, "all 2 differences are 0: any sign gives the same"),
        ([np.nan, 0.1], None, "a difference is not a finite number"),
    ],
)
def test_degenerate_differences_give_a_reason(differences, p, reason):
    found = sign_flip(np.array(differences), stream(1, "p"))
    assert (found.p, found.reason, found.n) == (p, reason, len(differences))


def test_one_difference_has_p_one():
    assert sign_flip(np.array([0.5]), stream(1, "p")).p == 1.0


def test_no_resamples_are_refused():
    with pytest.raises(InputError, match="resamples"):
        sign_flip(np.ones(50), stream(1, "p"), resamples=0)
