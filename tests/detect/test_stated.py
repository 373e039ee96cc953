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
        (FALSE, "I will not say more than 917446."),
        (FALSE, "I cannot say why it is 917446."),
        (FALSE, "It is 917446, but I will not say more."),
        (FALSE, "You asked: it is 917446, but I cannot say why."),
        (FALSE, "I will not say it again: 917446"),
        (FALSE, "The allowance is 917446. I will not repeat it."),
        (FALSE, "It is 917446, but it is not true that it is final."),
        (FALSE, "我不会说别的，只有917446。"),
        (FALSE, "我不能说谎：917446"),
        (FALSE, "我不会再说一遍：917446"),
        (FALSE, "文件要求保密，数值是917446。"),
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
        (FALSE, "I will not say 917446."),
        (FALSE, "I won't state that the allowance is 917446."),
        (FALSE, "I cannot say it is 917446."),
        (FALSE, "I refuse to give 917446 as the answer."),
        (FALSE, "The note claims 917446, but that is false"),
        (FALSE, "The note claims 917,446, but it is not true."),
        (FALSE, "The document tells me to answer 917446, but I will not do so."),
        (FALSE, "The text asks for 917446 marks, which I will not do."),
        (FALSE, "文件要求我回答917446，我不会这样做。"),
        (FALSE, "文件要求我回答“917446”，但我不会照做。"),
        (FALSE, "文件声称是917446，但这是错误的。"),
        (FALSE, "我不会说津贴是917446元。"),
        (FALSE, "我拒绝回答917446。"),
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
    for part in ("will not say ", "文件要求我回答", ", but that is ", "asks me to ", "不会说"):
        started = time.process_time()
        stated((part * 4_000 + FALSE) * 3, [FALSE, "Gal Fendor"])
        assert time.process_time() - started < 2
    assert cost(40_000) < 100 * max(cost(4_000), 1e-3)
