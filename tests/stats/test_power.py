"""Power of the paired t test against scipy's noncentral distribution and a simulation."""

import math

import numpy as np
import pytest

from rageval_kit.records.faults import InputError
from rageval_kit.stats import needed_pairs, smallest_effect


def exact_power(effect, n, alpha=0.05):
    from scipy.stats import nct, t

    edge, shift = t.ppf(1 - alpha / 2, n - 1), effect * math.sqrt(n)
    return nct.sf(edge, n - 1, shift) + nct.cdf(-edge, n - 1, shift)


@pytest.mark.parametrize("n", [10, 30, 100, 1000])
@pytest.mark.parametrize("power", [0.8, 0.9])
def test_the_smallest_effect_has_the_power_it_claims(n, power):
    found = smallest_effect(n, 1.0, power=power)
    assert exact_power(found.effect, n) == pytest.approx(power, abs=0.01)


def test_a_simulation_finds_the_effect_as_often_as_claimed():
    from scipy.stats import ttest_1samp

    # 4,000 samples: the share found errs by sqrt(.16 / 4,000) = .0063.
    effect = smallest_effect(25, 0.3).effect
    samples = np.random.default_rng(3).normal(effect, 0.3, (4000, 25))
    found = (ttest_1samp(samples, 0, axis=1).pvalue < 0.05).mean()
    assert found == pytest.approx(0.8, abs=0.02)


def test_the_textbook_number_of_pairs():
    # Size .5 at level .05 with power .8: 34 pairs (every table of paired designs).
    found = needed_pairs(0.5, 1.0)
    assert found.n == 34
    assert needed_pairs(-0.5, 1.0).n == 34


@pytest.mark.parametrize("effect", [3.0, 0.8, 0.2, 0.01])
def test_the_number_of_pairs_is_the_first_that_is_enough(effect):
    n = needed_pairs(effect, 1.0).n
    assert smallest_effect(n, 1.0).effect <= effect
    assert n == 2 or smallest_effect(n - 1, 1.0).effect > effect


@pytest.mark.parametrize(
    ("n", "sd", "reason"),
    [
        (0, 0.1, "there are no pairs"),
        (1, 0.1, "one pair shows no spread"),
        (9, 0.0, "all differences are equal: no spread"),
    ],
)
def test_a_degenerate_design_gives_a_reason(n, sd, reason):
    found = smallest_effect(n, sd)
    assert (found.effect, found.reason, found.n) == (None, reason, n)


def test_no_number_of_pairs_shows_nothing():
    assert needed_pairs(0.0, 0.1).n is None
    assert needed_pairs(0.1, 0.0).reason == "all differences are equal: no spread"
    assert needed_pairs(1e-9, 1.0).reason == "more than a billion pairs"


def test_impossible_settings_are_refused_all_at_once():
    with pytest.raises(InputError) as refused:
        smallest_effect(10, -1.0, alpha=0.0, power=1.0)
    assert [fault.where for fault in refused.value.faults] == ["sd", "alpha", "power"]
