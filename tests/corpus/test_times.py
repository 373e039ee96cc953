"""Instants worked by hand; Shanghai is UTC+8 without summer time."""

from datetime import UTC, datetime

import pytest

from rageval_kit.corpus.times import Side, TimeError, format_instant, parse_instant
from rageval_kit.records.world import Window

SHANGHAI = "Asia/Shanghai"


def test_bug_061_a_bare_end_covers_the_whole_local_day():
    start = parse_instant("2024-06-01", SHANGHAI, Side.START)
    end = parse_instant("2024-06-30", SHANGHAI, Side.END)
    assert start == datetime(2024, 5, 31, 16, tzinfo=UTC)
    assert end == datetime(2024, 6, 30, 16, tzinfo=UTC)
    window = Window(start, end)
    asked = ["2024-06-30T23:00:00+08:00", "2024-06-30T16:30:00Z", "2024-07-01T00:00:00+08:00"]
    assert [window.contains(parse_instant(text)) for text in asked] == [True, False, False]


@pytest.mark.parametrize("machine", ["UTC", "America/New_York"])
def test_bug_063_means_the_same_instant_on_every_machine(machine, monkeypatch):
    import time

    monkeypatch.setenv("TZ", machine)
    time.tzset()
    try:
        assert format_instant(parse_instant("2024-07-01", SHANGHAI)) == "2024-06-30T16:00:00Z"
        assert parse_instant("2024-07-01T00:00:00Z", SHANGHAI) == datetime(2024, 7, 1, tzinfo=UTC)
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2024-07-01T00:00:00", "no offset"),
        ("2024-07-01 09:30", "no offset"),
        ("2024-02-30", "no such day"),
        ("2024-07-01T25:00:00Z", "no such instant"),
        ("20240701", "neither a date nor a time"),
        ("2024-W27-1", "neither a date nor a time"),
        ("٢٠٢٤-07-01", "neither a date nor a time"),
        ("2024-07-01T00:00:00.1234567Z", "neither a date nor a time"),
        ("9999-12-31", "outside the years"),
        ("0001-01-01T00:00:00+08:00", "no such instant"),
        ("", "neither a date nor a time"),
    ],
)
def test_refuses_what_could_be_read_in_two_ways(text, problem):
    with pytest.raises(TimeError, match=problem):
        parse_instant(text, SHANGHAI, Side.END)


def test_a_day_that_begins_late_begins_when_it_begins():
    # Beirut, 31 March 2024: clocks went from 00:00 (UTC+2) to 01:00, at 30 March 22:00 UTC.
    assert parse_instant("2024-03-31", "Asia/Beirut") == datetime(2024, 3, 30, 22, tzinfo=UTC)


@pytest.mark.parametrize("name", ["Mars/Base", "", "../../etc/passwd", "\x00"])
def test_refuses_an_unknown_time_zone(name):
    with pytest.raises(TimeError, match="not known"):
        parse_instant("2024-01-01", name)
