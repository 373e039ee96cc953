"""Holm by hand and by its definition, Benjamini-Hochberg against scipy.false_discovery_control."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.records.faults import InputError
from rageval_kit.stats import benjamini_hochberg, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def test_holm_worked_by_hand():
    # Sorted .005, .01, .03, .04: times 4, 3, 2, 1 = .02, .03, .06, .04 -> .06.
    found = holm([0.01, 0.04, 0.03, 0.005])
    assert found.values == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert (found.n, found.left_out) == (4, 0)


def test_benjamini_hochberg_worked_by_hand():
    # Sorted .005, .01, .03, .04: times 4/1, 4/2, 4/3, 4/4 = .02, .02, .04, .04.
    found = benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    assert found.values == pytest.approx((0.02, 0.04, 0.04, 0.02))


@given(P_VALUES)
def test_benjamini_hochberg_agrees_with_scipy(p_values):
    from scipy.stats import false_discovery_control

    theirs = false_discovery_control(p_values)
    assert np.allclose(benjamini_hochberg(p_values).values, theirs, rtol=1e-12, atol=0)


@given(P_VALUES)
def test_holm_is_the_largest_of_the_scaled_values_up_to_each(p_values):
    ordered = sorted(p_values)
    m = len(ordered)
    for p, adjusted in zip(p_values, holm(p_values).values, strict=True):
        last = max(i for i in range(m) if ordered[i] <= p)
        assert adjusted == pytest.approx(
            min(1.0, max((m - i) * ordered[i] for i in range(last + 1)))
        )


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@given(p_values=P_VALUES)
def test_adjusting_keeps_the_order_and_never_lowers(adjust, p_values):
    adjusted = adjust(p_values).values
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert all(a <= b for (_, a), (_, b) in pairwise(pairs))
    assert all(p * (1 - 1e-12) <= a <= 1 for p, a in pairs)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_what_was_not_tested_stays_none_and_is_not_counted(adjust):
    found = adjust([0.02, None, 0.03])
    assert found.values[1] is None
    assert (found.values[0], found.values[2]) == adjust([0.02, 0.03]).values
    assert (found.n, found.left_out) == (2, 1)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_nan_and_impossible_values_are_refused_all_at_once(adjust):
    with pytest.raises(InputError) as refused:
        adjust([math.nan, 0.5, -0.1, 1.5])
    assert [fault.where for fault in refused.value.faults] == [
        "p-value 0",
        "p-value 2",
        "p-value 3",
    ]


def test_no_tests_are_no_values():
    assert holm([]).values == ()
    assert benjamini_hochberg([None]).values == (None,)
