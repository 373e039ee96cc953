"""The catalogues of both languages say the same; the templates say nothing themselves."""

import re
from pathlib import Path

import pytest

from rageval_kit.records.faults import InputError, KitError
from rageval_kit.report.phrases import plain
from rageval_kit.report.words import words

TEMPLATES = Path(__file__).parents[2] / "reports" / "templates"
PLACE = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_keys_and_places():
    english, chinese = words("en").entries, words("zh").entries
    assert set(english) == set(chinese)
    here = {k: set(PLACE.findall(v)) for k, v in english.items()}
    there = {k: set(PLACE.findall(v)) for k, v in chinese.items()}
    # English leaves out the machine's word beside the verdict: there they are the same word.
    assert {k for k in here if here[k] != there[k]} == {"verdict.heading"}


def test_no_text_is_blank():
    assert not [k for lang in ("en", "zh") for k, v in words(lang).entries.items() if not v.strip()]


def test_a_missing_word_is_an_error_not_a_blank():
    with pytest.raises(KitError, match=r"'no\.such'"):
        words("en")("no.such")


def test_an_unknown_language_is_refused():
    with pytest.raises(InputError, match="en or zh"):
        words("fr")


def test_sections_hold_no_text_of_their_own():
    for path in (TEMPLATES / "sections").glob("*.j2"):
        outside = re.sub(
            r"\{[{%#].*?[}%#]\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL
        )
        assert not re.findall(r"[A-Za-z\u4e00-\u9fff]{2,}", outside), path.name


def test_no_template_switches_escaping_off():
    for path in TEMPLATES.rglob("*.j2"):
        source = path.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*(safe|join|format|replace)\b|autoescape|Markup", source), (
            path.name
        )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("twin_failed", "获准的对照读者未能成功"),
        ("twin_failed: 3", "获准的对照读者未能成功 3"),
        ("the target shows no log", "目标系统不显示日志"),
        ("no agent", "no agent"),
    ],
)
def test_recorded_phrases_are_told_in_the_language_as_far_as_it_knows_them(text, told):
    assert plain(text, words("zh")) == told
