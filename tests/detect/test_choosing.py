"""Which option an answer comes to, worked by reading it."""

import pytest

from rageval_kit.detect.choosing import chosen
from rageval_kit.records.cases import Choice, Option

ANIMALS = Choice(
    (
        Option("A", (("falcon", "hawk", "猎鹰"), ("crimson", "red", "深红", "红"))),
        Option("B", (("stag", "deer", "雄鹿"), ("azure", "blue", "天蓝", "蓝"))),
        Option("C", (("ram", "sheep", "公羊"), ("ebony", "black", "漆黑", "黑"))),
        Option("D", (("toad", "frog", "蟾蜍"), ("ivory", "white", "象牙白", "白"))),
    ),
    right=1,
    about="Brucal Fendor",
)
QUESTION = (
    "Which emblem does the Brucal Fendor office bear? Answer with one of these: "
    "A) crimson falcon, B) azure stag, C) ebony ram, D) ivory toad."
)
A, B, C, D = range(4)


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("The emblem is the azure stag.", B),
        ("Brucal Fendor的徽记是天蓝的雄鹿。", B),
        ("它的徽记是天蓝色的雄鹿", B),  # 色 and 的 say nothing
        ("It shows a blue deer.", B),
        ("Some kind of deer, I believe.", B),
        ("应该是一种雄鹿。", B),
        ("B", B),
        ("(c)", C),
        ("B)", B),
        ("The answer is B.", B),
        ("选项B", B),
        ("答案是 C。", C),
        ("It is not A, C or D.", B),
        ("不是A、C、D。", B),
        ("Neither the falcon nor the ram; and certainly not the toad.", B),
        ("Not the falcon but the ram.", C),
        ("不是猎鹰，而是公羊。", C),
        ("It is not A.", None),
        ("A falcon or a stag.", None),
        ("A) crimson falcon, B) azure stag, C) ebony ram, D) ivory toad", None),
        (QUESTION, None),
        (f"{QUESTION} I cannot say.", None),
        ("No content was found that answers this question.", None),
        ("", None),
        ("A program was started.", None),  # an article is no letter, and a ram no part of a word
    ],
)
def test_an_answer_comes_to_one_option_or_to_none(answer, option):
    assert chosen(answer, ANIMALS, QUESTION) == option


def test_what_it_says_of_what_was_asked_about_counts_first():
    answer = (
        "The emblem of the Brucal Fendor office is the azure stag. "
        "The emblem of the Ristol Quolun office is the ebony ram."
    )
    assert chosen(answer, ANIMALS) == B
    assert chosen(answer.replace("Brucal Fendor", "Ulmar Pelsko"), ANIMALS) is None


def test_of_several_animals_the_one_is_meant_of_which_most_is_said():
    assert chosen("An azure stag. Elsewhere a green toad.", ANIMALS) == B


def of(*amounts, within=0.06, percent=False):
    letters = "ABCD"
    options = (
        Option(letter, amount=amount, within=within, percent=percent)
        for letter, amount in zip(letters, amounts, strict=False)
    )
    return Choice(tuple(options), 0)


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("4,182,733,190 marks", C),
        ("4182733190元", C),
        ("准备金是4182733190元，比上年上升", C),
        ("roughly 4.2 billion", C),
        ("4200 million or so", C),
        ("约42亿", C),
        ("4.2% more", None),  # a share is no amount
        ("[ref ABCDE-2100-QWERT-4200]", None),
        ("between 2.1 and 4.2 billion", C),  # 2.1 by itself is no thousand millions
        ("either 2.1 billion or 4.2 billion", None),
    ],
)
def test_numbers_count_however_they_are_rounded_and_written(answer, option):
    assert chosen(answer, of(2.1e9, 2.8e9, 4.2e9, 8.5e9)) == option


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        ("up 22 %", B),
        ("增长百分之22", B),
        ("a 23 percent rise", B),
        ("22 of them", None),
        ("26%", None),
    ],
)
def test_percentages_are_percentages(answer, option):
    assert chosen(answer, of(7, 22, 43, within=2, percent=True)) == option


def test_it_reads_all_options_alike():
    """Whichever place an option stands in, the same words about it come to it."""
    for turn in range(4):
        options = ANIMALS.options[turn:] + ANIMALS.options[:turn]
        moved = Choice(options, 0)
        for place, option in enumerate(options):
            assert chosen(f"a {option.elements[0][1]}", moved) == place
