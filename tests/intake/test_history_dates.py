"""Dates as people write them, and patterns that would never end."""

import sys
import time
from datetime import UTC, date, datetime, timedelta

import pytest

from rageval_kit.intake.effective import HEAD_CHARS, head_of, read_day
from rageval_kit.intake.history import Spell, spells
from rageval_kit.intake.lineage import Edition
from rageval_kit.intake.matching import open_matcher
from rageval_kit.records.faults import InputError


@pytest.mark.parametrize(
    "text",
    [
        *("2024-01-31", "2024/1/31", "2024.01.31", " 2024-01-31 ", "2024年1月31日"),
        *("2024 年 1 月 31 日", "2024年01月31", "January 31, 2024", "Jan. 31, 2024"),
        *("january 31st, 2024", "31 January 2024", "31 jan 2024", "January 31 2024"),
    ],
)
def test_a_day_is_read_in_english_and_chinese(text):
    assert read_day(text) == date(2024, 1, 31)


@pytest.mark.parametrize(
    "text",
    [
        *("01/31/2024", "31.01.2024", "2024-02-30", "2024-13-01", "Smarch 13, 2024", "soon"),
        *(
            "January 2024",
            "",
            "2024-01-31T00:00:00Z",
            "二〇二四年一月三十一日",
            "0000-01-01",
            "0024-01-01",
        ),
    ],
)
def test_what_could_be_two_days_or_none_is_not_read(text):
    assert read_day(text) is None


def test_the_head_of_a_text_is_bounded_whatever_its_lines():
    assert head_of("a\n" * 100).count("a") == 30
    assert len(head_of("x" * 1_000_000)) == HEAD_CHARS


def test_one_matcher_answers_text_after_text():
    with open_matcher(r"^in force: (?P<date>\S+)$", "--p") as find:
        asked = ["a\nIN FORCE: 2024-01-31\nb", "none", "在\nin force: 二月", 'quote "\\ \u2028 x']
        assert [find(text) for text in asked] == ["2024-01-31", None, "二月", None]


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(?P<date>", "cannot be used: missing \\), unterminated subpattern"),
        ("no group", "cannot be used: it has no group named date"),
        ("(?P<date>a)\0(", "cannot be used"),
    ],
)
def test_a_pattern_that_is_none_is_refused_with_the_reason(pattern, problem):
    with pytest.raises(InputError, match=f"^--p: {problem}"), open_matcher(pattern, "--p"):
        pass


def test_a_pattern_that_backtracks_for_ever_ends_in_bounded_time_by_name():
    began = time.monotonic()
    with open_matcher(r"(?P<date>(a+)+)b", "--p", limit_s=1) as find:
        assert find("ab") == "a"
        with pytest.raises(InputError, match=r"^--p: did not end within 1 seconds"):
            find("a" * 60)
    assert time.monotonic() - began < 20


def test_a_matcher_that_died_is_told_as_such(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(InputError, match="ended the process"), open_matcher("(?P<date>x)", "--p"):
        pass


def test_a_file_of_the_current_folder_is_not_imported_by_the_matcher(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    with open_matcher("(?P<date>x)", "--p") as find:
        assert find("x") == "x"


def at(number):
    return datetime(2024, 1, 1, tzinfo=UTC) + timedelta(days=number)


def spelled(*points, whole=True):
    """Points are (recorded, stated or None); a recorded alone is a deletion. Days, both ways."""
    editions, stated = [], []
    for point in points:
        recorded, said = point if isinstance(point, tuple) else (point, None)
        editions.append(Edition("c", at(recorded), "b" if isinstance(point, tuple) else ""))
        stated.append(None if said is None else at(said))

    def number(instant):
        return None if instant is None else (instant - at(0)).days

    return [
        tuple(number(value) for value in (spell.valid_from, spell.valid_to, spell.recorded_to))
        for spell in spells(editions, stated, from_the_first=whole)
    ]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([(1, None), (5, None)], [(1, 5, None), (5, None, None)]),
        ([(1, None), (5, 9)], [(1, 9, None), (9, None, None)]),
        # two announced one after the other, each for its day
        ([(1, None), (5, 9), (6, 20)], [(1, 9, None), (9, 20, None), (20, None, None)]),
        # the announced one is replaced by one in force at once
        ([(1, None), (5, 9), (6, None)], [(1, 6, None), (9, None, 6), (6, None, None)]),
        # ... by one for an earlier day, over two that were announced
        (
            [(1, None), (5, 20), (6, 30), (7, 10)],
            [(1, 10, None), (20, 30, 7), (30, None, 7), (10, None, None)],
        ),
        # the first may be older than its record, no other
        ([(5, 1), (9, 2)], [(1, 9, None), (9, None, None)]),
        # taken away, before what was announced, and brought back
        (
            [(1, None), (5, 9), 6, (8, None)],
            [(1, 6, None), (9, None, 6), (6, None, None), (8, None, None)],
        ),
    ],
)
def test_windows_follow_from_dates_and_succession(points, expected):
    assert spelled(*points) == expected


def test_what_was_cut_off_before_the_first_keeps_it_from_being_backdated():
    assert spelled((5, 1), whole=False) == [(5, None, None)]


def test_at_no_instant_as_known_at_any_two_are_in_force():
    """Every history of four commits with statements from a small set, tried whole."""
    choices = [None, 0, 4, 8]
    for said in ((a, b, c, d) for a in choices for b in choices for c in choices for d in choices):
        editions = [Edition("c", at(2 * n + 1), "b") for n in range(4)]
        stated = [None if s is None else at(s) for s in said]
        found = spells(editions, stated, from_the_first=True)
        for known in range(12):
            for asked in range(12):
                held = [
                    s for s, e in zip(found, editions, strict=True) if _holds(s, e, known, asked)
                ]
                assert len(held) <= 1, (said, known, asked)
        # what was recorded last is always in force in the end
        assert found[-1].valid_to is None
        assert found[-1].recorded_to is None


def _holds(spell: Spell, edition: Edition, known: int, asked: int) -> bool:
    return edition.recorded <= at(known) < (spell.recorded_to or at(99)) and spell.valid_from <= at(
        asked
    ) < (spell.valid_to or at(99))
