"""Which instant does a date or time in a file mean?"""

import re
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from zoneinfo import ZoneInfo

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_CLOCK = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?"
_NAIVE = re.compile(_CLOCK)
_AWARE = re.compile(_CLOCK + r"(?:Z|[+-][0-9]{2}:[0-9]{2})")

# What "since ever" is written as where an instant is needed; no clock of a corpus lies before it.
EVER = datetime(1900, 1, 1, tzinfo=UTC)
INSTANT = timedelta(microseconds=1)  # from one instant to the next


class Side(StrEnum):
    """Which bound a bare date gives: its first instant, or (an end) the first of the next day."""

    START = "start"
    END = "end"


class TimeError(ValueError):
    """A time that cannot be read: the fault, and the way out."""

    def __init__(self, problem: str, way_out: str) -> None:
        self.problem = problem
        self.way_out = way_out
        super().__init__(f"{problem}; {way_out}")


@lru_cache(maxsize=512)
def zone(name: str) -> ZoneInfo:
    """Look up the IANA time zone of that name, or raise TimeError."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        raise TimeError(
            f"time zone {name!r} is not known", "write an IANA name such as Asia/Shanghai or UTC"
        ) from None


def day_bound(day: date, side: Side, timezone: str) -> datetime:
    """Give the first instant of a local day, or for an end the first of the day after."""
    try:
        if side is Side.END:
            day += timedelta(days=1)
        return datetime.combine(day, time(), tzinfo=zone(timezone)).astimezone(UTC)
    except OverflowError:
        raise TimeError(
            "the date lies outside the years that can be computed with",
            "leave the bound out where it is open",
        ) from None


@lru_cache(maxsize=65536)
def parse_instant(text: str, timezone: str = "UTC", side: Side = Side.START) -> datetime:
    """Read ISO 8601 text as an aware UTC datetime.

    A bare date is the whole local day of `timezone`; a time without an offset is refused, since
    it would mean another instant on another machine.
    """
    if _DATE.fullmatch(text):
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise TimeError("there is no such day", "write a date such as 2024-06-30") from None
        return day_bound(day, side, timezone)
    if _NAIVE.fullmatch(text):
        raise TimeError(
            "the time has no offset from UTC",
            "add one, as in 2024-07-01T00:00:00+08:00, or write the bare date",
        )
    if not _AWARE.fullmatch(text):
        raise TimeError(
            "is neither a date nor a time",
            "write ISO 8601, as in 2024-06-30 or 2024-07-01T00:00:00+08:00",
        )
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        raise TimeError(
            "there is no such instant", "write one as in 2024-07-01T00:00:00+08:00"
        ) from None


def format_instant(instant: datetime) -> str:
    """Write an aware datetime the one way files and digests know it: UTC, ending in Z."""
    return instant.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"
