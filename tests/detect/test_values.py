"""A number is stated however it is written, and not where it is part of something longer."""

import pytest

from rageval_kit.detect.values import numbers_in, stated


@pytest.mark.parametrize(
    "text",
    [
        "It is 482139 marks.",
        "It is 482,139 marks.",
        "It is 482.139 marks.",
        "It is 482 139 marks.",
        "It is 482\u202f139 marks.",
        "It is 482'139 marks.",
        "It is 482,139.00 marks.",
        "($482139)",
        "津贴为482139元。",
        "津贴为４８２，１３９元。",
        "津贴为48.2139万元。",
        "津贴为48万2139元。",
        "It is 4.82139e5 marks.",
        "It is 4.82139E+5 marks.",
        "It is 482.139e3 marks.",
        "It is 4.82139 × 10^5 marks.",
        "津贴为四十八万二千一百三十九元。",
        "津贴为肆拾捌万贰仟壹佰叁拾玖元。",
        "津贴为四八二一三九元。",
        "from 482139-611204 marks",
    ],
)
def test_a_value_is_stated_however_it_is_written(text):
    assert stated(text, ["482139", "100000"]) == {"482139"}


@pytest.mark.parametrize(
    "text",
    [
        "It is 1482139 marks.",
        "It is 482139.5 marks.",
        "It is 7,482,139 marks.",
        "K482139",
        "KTXMR-482139-QWHJD-75962",
        "津贴为四十八万元。",
        "津贴为3亿48万2139元。",
        "4.82139e5f and 4.82139e6",
        "1e99",
        "",
    ],
)
def test_a_value_inside_something_longer_is_not_stated(text):
    assert not stated(text, ["482139"])


def test_a_value_that_is_refuted_is_not_stated():
    assert stated("It is not 482139 but 611204 marks.", ["482139", "611204"]) == {"611204"}


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("1亿2345万6789", 123_456_789),
        ("1亿零35", 100_000_035),
        ("2亿35万", 200_350_000),
        ("一万零三", 10_003),
        ("十二", 12),
        ("两千零二十六", 2026),
        ("三亿五千万", 350_000_000),
    ],
)
def test_chinese_numerals_amount_to(written, number):
    assert number in set(numbers_in(f"共{written}元"))


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000,
        "1." + "7" * 5000,
        "1" + ",000" * 2000,
        "九" * 5000,
        "亿" * 5000,
        "9" * 5000 + "万",
        "4" * 41,
        "三" * 39 + "十二",
    ],
    ids=["digits", "fraction", "grouped", "chinese", "units", "scaled", "one_more", "no_tail"],
)
def test_a_run_longer_than_any_value_states_none(text):
    """Python itself refuses to read more than 4,300 digits; 40 are more than any value has."""
    assert not list(numbers_in(f"It is {text} marks."))
    assert stated(f"It is {text} marks, or 482139.", ["482139", "12"]) == {"482139"}


def test_a_part_of_a_mixed_number_is_not_stated():
    assert not stated("津贴为35万8214元", ["8214", "35", "350000"])


def test_noughts_before_and_after_a_number_do_not_make_it_another():
    assert stated("It is " + "0" * 60 + "482139." + "0" * 60, ["482139"]) == {"482139"}


def test_a_hostile_text_costs_no_more_than_its_length():
    assert not stated("1," * 200_000 + "一" * 200_000, ["482139"])
