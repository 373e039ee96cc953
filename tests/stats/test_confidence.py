"""Calibration by hand: 0.92 right and 1.0 wrong share the last bin, |0.96 - 0.5| = 0.46."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.records.faults import InputError
from rageval_kit.stats.calibration import calibration


def test_bug_105_a_confidence_of_1_lies_in_the_last_bin():
    found = calibration([0.92, 1.0], [1, 0], bins=10)
    assert found.ece == pytest.approx(0.46, abs=1e-9)
    assert found.bins[-1].n == 2
    assert len(found.bins) == 10
    assert found.brier == pytest.approx((0.08**2 + 1.0) / 2)


def test_an_edge_belongs_to_the_bin_below_it_and_0_to_the_first():
    found = calibration([0.0, 0.5, 0.51], [0, 1, 1], bins=2)
    assert [one.n for one in found.bins] == [2, 1]


def test_an_empty_bin_has_no_mean_and_no_answers_no_error():
    found = calibration([0.9], [1], bins=2)
    assert (found.bins[0].n, found.bins[0].confidence, found.bins[0].correct) == (0, None, None)
    nothing = calibration([], [])
    assert (nothing.n, nothing.ece, nothing.brier) == (0, None, None)
    assert nothing.reason == "no answer states its confidence"


def test_everything_wrong_is_told_at_once():
    with pytest.raises(InputError) as refused:
        calibration([1.2, float("nan")], [1], bins=0)
    assert len(refused.value.faults) == 3


def plain(confidence, correct, bins):
    groups = {}
    for one, right in zip(confidence, correct, strict=True):
        place = next(i for i in range(bins) if one <= np.linspace(0, 1, bins + 1)[i + 1])
        groups.setdefault(place, []).append((one, right))
    return sum(
        abs(sum(c for c, _ in group) - sum(r for _, r in group)) / len(confidence)
        for group in groups.values()
    )


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.integers(1, 12)
)
def test_agrees_with_a_plain_loop(answers, bins):
    confidence, correct = [one for one, _ in answers], [right for _, right in answers]
    assert calibration(confidence, correct, bins).ece == pytest.approx(
        plain(confidence, correct, bins), abs=1e-12
    )
