"""The end of a period is its last instant, in the zone of the corpus; worked by a calendar."""

from datetime import UTC, datetime

import pytest

from rageval_kit.generate.dates import dated, spoken
from rageval_kit.generate.relative import end_of_last

ASKED = datetime(2026, 5, 14, 8, 0, tzinfo=UTC)
LAST = (23, 59, 59, 999_999)


@pytest.mark.parametrize(
    ("period", "ends"),
    [
        ("month", (2026, 4, 30)),
        ("quarter", (2026, 3, 31)),
        ("year", (2025, 12, 31)),
        ("fiscal_year", (2026, 3, 31)),
    ],
)
def test_the_last_period_ended_just_before_this_one_began(period, ends):
    assert end_of_last(period, ASKED, "UTC") == datetime(*ends, *LAST, tzinfo=UTC)


def test_before_april_the_last_fiscal_year_ended_a_year_earlier():
    asked = datetime(2026, 3, 31, 12, tzinfo=UTC)
    assert end_of_last("fiscal_year", asked, "UTC") == datetime(2025, 3, 31, *LAST, tzinfo=UTC)


def test_the_zone_of_the_corpus_decides_in_which_period_an_instant_lies():
    # 31 March, 17:00 in London is 1 April, 01:00 in Shanghai.
    asked = datetime(2026, 3, 31, 17, tzinfo=UTC)
    ends = datetime(2026, 3, 31, 15, 59, 59, 999_999, tzinfo=UTC)
    assert end_of_last("quarter", asked, "Asia/Shanghai") == ends
    assert end_of_last("quarter", asked, "UTC") == datetime(2025, 12, 31, *LAST, tzinfo=UTC)


def test_a_question_says_the_day_it_asks_about_in_its_own_language():
    late = datetime(2026, 3, 31, 17, tzinfo=UTC)
    said = dated("What is the fee?", late, "Asia/Shanghai")
    assert said == "As of 1 April 2026: What is the fee?"
    assert dated("费用是多少？", late, "UTC") == "截至2026年3月31日，费用是多少？"


def test_a_day_is_said_as_the_corpus_counts_it():
    late = datetime(2026, 3, 31, 17, tzinfo=UTC)
    assert spoken(late, "en", "Asia/Shanghai") == "1 April 2026"
    assert spoken(late, "zh", "UTC") == "2026年3月31日"
