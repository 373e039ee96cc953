"""Counts and cuts worked by hand, in Chinese and English."""

import time

import pytest

from rageval_kit.text.sentences import sentences


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n ", 0),
        ("Dr. Smith paid 3.5 dollars, e.g. in cash. He left.", 2),
        ("The answer is no. See no. 5 for the rest.", 2),
        ("It ends here.然后开始下一句。", 2),
        ("Is it? Yes! See http://a.b/c?d=e now.", 3),
        ("第一章 总则\n本办法自发布之日起施行。", 2),
        ("a wrapped\nline of text.", 1),
    ],
)
def test_counts_sentences(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("年假10天。病假5天！可以结转吗？", 3),
        ("首届大会于2019年3月举办", 1),
        ("Leave is 10 days", 1),
    ],
)
def test_bug_030_a_chinese_sentence_and_one_without_a_stop_are_sentences(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "1.年度预算为3.5亿元。",
        "版本v2.1.0于2024年发布。",
        "见第3.2节。",
        "2. 本年度预算为3.5亿元。",
        "3.2.1 见附件第1.2节",
        "（1）适用v1.0.版本以外的版本。",
    ],
)
def test_bug_031_the_dot_of_a_list_a_decimal_a_version_or_a_section_splits_nothing(text):
    assert sentences(text) == [text]


def test_keeps_a_closing_quotation_mark_with_its_sentence():
    assert sentences("“你好。”他说。") == ["“你好。”", "他说。"]


def test_loses_no_character_but_space():
    text = "一。二！ Three. Four?\n\n- five\n- six"
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "." * 50_000,
        "!" * 50_000 + "a",
        "\n" * 50_000,
        "a\n" * 50_000,
        ".)" * 50_000,
        "a" * 50_000 + ".",
        "! " * 50_000,
    ],
)
def test_hostile_text_costs_no_more_than_its_length(text):
    started = time.perf_counter()
    sentences(text)
    assert time.perf_counter() - started < 2.0
