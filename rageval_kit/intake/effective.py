"""From which day does a text say that it takes effect?"""

import re
from collections.abc import Mapping
from datetime import date

HEAD_LINES = 30
HEAD_CHARS = 4000
_FIRST_YEAR = 1000  # 0024 is a slip
_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS: Mapping[str, int] = {
    spelling: number for number, name in enumerate(_NAMES, 1) for spelling in (name, name[:3])
} | {"sept": 9}
_YEAR_FIRST = re.compile(r"(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})\s?日?")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.?\s{1,3}(\d{1,2})(?:st|nd|rd|th)?,?\s{1,3}(\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s{1,3}([A-Za-z]{3,9})\.?,?\s{1,3}(\d{4})")


def head_of(text: str) -> str:
    """Give the part of a text in which a date of effect is looked for."""
    return "\n".join(text[:HEAD_CHARS].split("\n", HEAD_LINES)[:HEAD_LINES])


def read_day(text: str) -> date | None:
    """Read 2024-01-31, January 31, 2024, 31 January 2024 or 2024年1月31日; None for anything else.

    Day and month in figures without the year in front are not read: 01/02/2024 means two days.
    """
    text = text.strip()
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = match.groups()
        return _day(year, int(month), day)
    if match := _MONTH_FIRST.fullmatch(text):
        name, day, year = match.groups()
        return _day(year, _MONTHS.get(name.lower(), 0), day)
    if match := _DAY_FIRST.fullmatch(text):
        day, name, year = match.groups()
        return _day(year, _MONTHS.get(name.lower(), 0), day)
    return None


def _day(year: str, month: int, day: str) -> date | None:
    try:
        found = date(int(year), month, int(day))
    except ValueError:
        return None
    return found if found.year >= _FIRST_YEAR else None
