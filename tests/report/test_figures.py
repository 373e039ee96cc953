"""BUG-043: a printed number never contradicts its verdict. Bounds are those of the rules' table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.records.decisions import GateKind
from rageval_kit.report.figures import bound, figure, gate_value


@pytest.mark.parametrize(
    ("value", "reference", "decimals", "shown"),
    [
        (0.8999, 0.9, 2, "0.8999"),
        (0.9, 0.9, 2, "0.90"),
        (0.9000001, 0.9, 3, "0.9000001"),
        (-0.0004, 0.0, 3, "-0.0004"),
        (0.5, 0.9, 3, "0.500"),
    ],
)
def test_bug_043_digits_suffice_to_justify_the_outcome(value, reference, decimals, shown):
    assert figure(value, reference, decimals) == shown


@pytest.mark.parametrize(
    ("value", "shown"), [(-0.0004, "-0.0004"), (0.99996, "0.99996"), (0, "0.000")]
)
def test_bug_043_what_is_not_zero_or_one_is_not_shown_as_such(value, shown):
    assert figure(value) == shown


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_printed_value_stands_on_its_own_side_of_the_threshold(value, threshold):
    shown = float(figure(value, threshold, 2))
    assert (shown < threshold) == (value < threshold)
    assert (shown > threshold) == (value > threshold)


@pytest.mark.parametrize(
    ("n", "shown"),
    [(30, "9.51%"), (59, "4.96%"), (100, "2.96%"), (299, "0.997%"), (2995, "0.1000%")],
)
def test_a_bound_is_rounded_up(n, shown):
    # 1 - 0.05**(1/n): 0.095034, 0.049508, 0.029513, 0.0099692, 0.00099974
    exact = 1 - 0.05 ** (1 / n)
    assert bound(exact) == shown
    assert float(shown[:-1]) / 100 >= exact


def test_bug_043_words_of_a_gate_that_contradict_its_value_are_not_printed(records):
    gate = records.gate(GateKind.QUALITY, met=False, value=0.8999, threshold=0.9, shown="0.90")
    assert gate_value(gate) == "0.8999"


def test_words_of_a_gate_that_agree_are_kept(records):
    gate = records.gate(GateKind.QUALITY, value=0.873, threshold=0.85, shown="0.873 [0.841, 0.902]")
    assert gate_value(gate) == "0.873 [0.841, 0.902]"


@pytest.mark.parametrize("value", [None, float("nan")])
def test_what_was_not_measured_has_no_number(records, value):
    assert gate_value(records.gate(GateKind.QUALITY, value=value, shown="0.95")) == ""


def test_bug_043_a_share_that_is_not_one_is_not_shown_as_one(records):
    gate = records.gate(GateKind.QUALITY, value=0.998, threshold=0.8, shown="1.00")
    assert gate_value(gate) == "0.998"
