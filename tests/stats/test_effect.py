"""Effect sizes worked by hand on four pairs: differences .1, .3, -.2, 0; sum .2."""

import math

import numpy as np
import pytest

from rageval_kit.stats import paired_effect

BASELINE = np.array([0.5, 0.2, 0.8, 0.5])
CANDIDATE = np.array([0.6, 0.5, 0.6, 0.5])


def test_sizes_worked_by_hand():
    found = paired_effect(BASELINE, CANDIDATE)
    # Mean .05; squares .01 + .09 + .04 = .14, less 4 * .0025 = .13; sd sqrt(.13 / 3) = .20817.
    sd = math.sqrt(0.13 / 3)
    assert found.n == 4
    assert found.difference == pytest.approx(0.05)
    assert found.relative == pytest.approx(0.05 / 0.5)
    assert found.d_z == pytest.approx(0.05 / sd)
    # Hedges at 3 degrees: gamma(1.5) / (sqrt(1.5) gamma(1)) = .886227 / 1.224745 = .723601.
    assert found.g_z == pytest.approx(0.723601 * 0.05 / sd, rel=1e-5)
    assert (found.better, found.worse, found.equal) == (0.5, 0.25, 0.25)
    assert found.dominance == 0.25
    assert found.reasons == {}


def test_hedges_size_has_no_bias():
    # 20,000 samples of 8 pairs with a true size of .5: the mean errs by about .42 / 141 = .003.
    samples = np.random.default_rng(1).normal(0.5, 1, (20_000, 8))
    sizes = [paired_effect(np.zeros(8), one) for one in samples[:4000]]
    assert np.mean([one.g_z for one in sizes]) == pytest.approx(0.5, abs=0.025)
    assert np.mean([one.d_z for one in sizes]) > 0.54


def test_a_baseline_of_zero_has_no_relative_change():
    found = paired_effect(np.zeros(3), np.array([0.1, 0.2, 0.3]))
    assert found.relative is None
    assert found.reasons == {"relative": "the mean of the baseline is 0"}


def test_equal_differences_have_no_standardised_size():
    found = paired_effect(np.array([0.1, 0.5, 0.9]), np.array([0.2, 0.6, 1.0]))
    assert (found.d_z, found.g_z) == (None, None)
    assert found.reasons["d_z"] == "all 3 differences are equal"
    assert found.better == 1.0


def test_a_difference_of_rounding_is_no_difference():
    found = paired_effect(np.array([0.3, 0.3]), np.array([0.1 + 0.2, 0.3]))
    assert (found.difference, found.equal) == (0.0, 1.0)


def test_one_pair_and_two_say_what_they_lack():
    assert paired_effect(np.ones(1), np.zeros(1)).reasons["d_z"] == "one difference has no spread"
    two = paired_effect(np.ones(2), np.array([0.0, 0.5]))
    assert two.d_z is not None
    assert two.reasons == {"g_z": "two differences are too few for the correction"}


@pytest.mark.parametrize(
    ("values", "why"),
    [([], "nothing was measured in both"), ([math.nan], "a value is not a finite number")],
)
def test_without_usable_pairs_everything_has_a_reason(values, why):
    found = paired_effect(np.array(values), np.array(values))
    assert found.difference is None
    assert set(found.reasons.values()) == {why}
    assert len(found.reasons) == 8
