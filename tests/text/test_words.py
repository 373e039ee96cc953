"""Words worked by hand; the retrieval case of a Chinese query is the practitioner's own."""

from hypothesis import given
from hypothesis import strategies as st

from rageval_kit.text.normalise import fold, language
from rageval_kit.text.words import units, words


def test_chinese_gives_characters_and_neighbouring_pairs():
    assert words("报销单") == ["报", "销", "单", "报销", "销单"]


def test_a_compound_stands_beside_its_parts():
    assert words("KTX-4821 v2.1") == ["ktx-4821", "ktx", "4821", "v2.1", "v2", "1"]


def test_mixed_text_is_cut_at_the_change_of_script():
    assert words("年假policy 10天") == ["年", "假", "年假", "policy", "10", "天"]


def test_width_case_and_unseen_characters_do_not_matter():
    assert fold("ＡＢＣ\u200b１２") == "abc12"
    assert words("Poli\u00adcy") == ["policy"]


def test_punctuation_alone_holds_no_word():
    assert words("？！ … --") == []


def test_units_count_ideographs_and_latin_words():
    assert units("报销 two words") == 4


def test_language_follows_the_greater_share():
    assert (language("年假有几天 PTO"), language("how many days of 年假"), language("42")) == (
        "zh",
        "en",
        "en",
    )


@given(st.text())
def test_folding_twice_changes_no_word(text):
    assert words(fold(text)) == words(text) or fold(fold(text)) != fold(text)


@given(st.text(), st.text())
def test_a_text_contains_its_own_words_whatever_follows(first, second):
    assert set(words(first)) <= set(words(f"{first} \n {second}"))
