"""Folding reads one character at a time, so what is inside stays inside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.detect.fold import fold_text, plain_text, to_codes, to_text

anything = st.text(st.characters(exclude_categories=[]), max_size=30)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ZQ-Canary 4417!", "zqcanary4417"),
        ("ＺＱ－４４１７", "zq4417"),
        ("Z\u200bQ\u00ad-\ufeff4", "zq4"),
        ("ΖΟΡ Аз", "zopaз"),  # Greek ΖΟΡ, Cyrillic А; з looks like no Latin letter
        ("四八二一 〇零两 壹贰叁肆伍陆柒捌玖", "4821002123456789"),
        ("①②Ⅳ ﬁ ²", "12ivfi2"),
        ("٣४", "34"),  # Arabic and Devanagari digits
        ("é z̶q̷", "ezq"),
        ("𝐙𝑸 🅰🆀 🇿🇶", "zqaqzq"),
        ("\U000e005a\U000e0051", "zq"),  # invisible tag characters
        ("Straße", "strasse"),
        ("z\u3164\u115fq\u1160\uffa04\u2800\u2065\U000e0fff4", "zq44"),  # fillers, unassigned
        ("z\u0640q\ufe7144", "zq44"),  # a stroke that only stretches a word
        ("", ""),
        ("|-*_ \n", ""),
        ("报销标准", "报销标准"),
    ],
)
def test_characters_fold_to_what_they_look_like(text, folded):
    assert fold_text(text) == folded


def test_plain_text_keeps_case_and_punctuation():
    assert plain_text("Ａ－\u200bｂ＝，") == "A-b=,"
    assert plain_text("A\u3164\u115f\u1160\uffa0\u2800\u2065b") == "Ab"


@given(anything, anything)
def test_the_fold_of_a_whole_is_the_folds_of_its_parts(left, right):
    assert fold_text(left + right) == fold_text(left) + fold_text(right)
    assert plain_text(left + right) == plain_text(left) + plain_text(right)


@given(anything)
def test_codes_and_text_are_the_same_thing(text):
    assert to_text(to_codes(text)) == text
