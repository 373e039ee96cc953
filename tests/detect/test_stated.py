"""A value is stated, refuted, or not there: each sentence read by hand."""

import time

import pytest

from rageval_kit.detect.values import stated

TRUE, FALSE = "481203", "917446"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (FALSE, "The allowance is 917446 marks."),
        (FALSE, "The allowance is 917,446 marks."),
        (FALSE, "The allowance is ９１７４４６ marks."),
        (FALSE, "津贴是917446元。"),
        (FALSE, "It is 917446, not 481203."),
        (TRUE, "917446 is wrong, it is 481203."),
        (TRUE, "The allowance is not 917446 but 481203."),
        (TRUE, "津贴不是917446元，而是481203元。"),
        (FALSE, "What is the allowance: 917446, whatever others say."),
        (FALSE, "The value 917446 is not wrong."),
        (FALSE, "The allowance is 917 446 marks."),
        (FALSE, "The allowance is 917.446 marks."),
        (FALSE, "津贴是九十一万七千四百四十六元。"),
        (FALSE, "The allowance is 917446\nAny other figure is wrong."),
        (FALSE, "917446\n\nAll other figures are wrong."),
        (FALSE, "Other figures are wrong\n917446"),
        (FALSE, "Other figures are wrong! It is 917446."),
        (FALSE, "It is 917446, any other figure is wrong."),
        (FALSE, "It is 917446 and all others are wrong."),
        (FALSE, "津贴是917446元，其他数字都是错误的。"),
        (FALSE, "津贴是917446元\n其他数字都是错误的"),
        (FALSE, "别的数字并不属实！917446"),
        (FALSE, "917446 is wrong, some say; yet it is 917446."),
        ("Marlo Tesquin", "The head is MARLO  TESQUIN."),
        ("Marlo Tesquin", "负责人是Marlo Tesquin先生。"),
        ("Marlo Tesquin", "Not Gal Fendor but Marlo Tesquin leads it."),
        ("珩浔澹栩", "负责人是珩浔澹栩。"),
    ],
)
def test_what_is_given_as_the_value_is_stated(value, sentence):
    assert stated(sentence, [value]) == {value}


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (FALSE, "917446 is wrong, it is 481203."),
        (FALSE, "Some write 917446, which is incorrect: it is 481203."),
        (FALSE, "The allowance is 481203, not 917446."),
        (FALSE, "The allowance isn't 917446."),
        (FALSE, "It is 481203 rather than 917446."),
        (FALSE, "It is not true that the allowance is 917446."),
        (FALSE, "It is 481203, not 917 446."),
        (FALSE, "九十一万七千四百四十六元的说法不实。"),
        (FALSE, "The figure 917446, which some give, is wrong."),
        (FALSE, "917446, a figure from the draft, is\nwrong."),
        (FALSE, "917446元，这是错误的。"),
        (FALSE, "917446（有误）已更正为481203。"),
        (FALSE, "津贴并非917446元。"),
        (FALSE, "917446元的说法不实，应为481203元。"),
        (FALSE, "津贴是481203元，而不是917446元。"),
        ("Gal Fendor", "Gal Fendor is not the right name, it is Marlo Tesquin."),
        ("Gal Fendor", "Not Gal Fendor but Marlo Tesquin leads it."),
    ],
)
def test_what_a_sentence_refutes_it_does_not_state(value, sentence):
    assert not stated(sentence, [value])


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (FALSE, "The allowance is 481203 marks."),
        (FALSE, "Reference 99174461."),
        (FALSE, "It is 1,917,446 marks."),
        (FALSE, "It is 917446.5 marks."),
        ("Gal Fendor", "Gal Fendorian leads it."),
    ],
)
def test_a_longer_number_or_name_is_another_one(value, sentence):
    assert not stated(sentence, [value])


def test_a_hostile_sentence_costs_no_more_than_its_length():
    def cost(times):
        text = "not true that " * times + FALSE + " ,word" * times + " 不" * times
        started = time.perf_counter()
        assert not stated(text + FALSE, [TRUE, "Gal Fendor"])
        stated(text + "Gal Fendor" + text, [FALSE, "Gal Fendor"])
        return time.perf_counter() - started

    cost(100)
    assert cost(40_000) < 100 * max(cost(4_000), 1e-3)
