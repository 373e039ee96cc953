"""What does a question ask, and of which time, once its words about time are read?

A question that begins with one of a few phrases asks about the last instant of the last period
that had ended at the time it is asked about, in the time zone of the corpus. A date in front that
says again what the request asks for is no word to search by.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from enum import Enum
from types import MappingProxyType

from rageval_kit.records.target import Request
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.instants import MICROSECOND
from rageval_kit.system.state import SystemState


class Period(Enum):
    """How many months a period lasts, and in which month one begins."""

    MONTH = (1, 1)
    QUARTER = (3, 1)
    YEAR = (12, 1)
    FISCAL_YEAR = (12, 4)


_PHRASES: Mapping[str, Period] = MappingProxyType(
    {
        "As of the end of last month": Period.MONTH,
        "As of the end of last quarter": Period.QUARTER,
        "As of the end of last year": Period.YEAR,
        "As of the end of the last fiscal year (ending in March)": Period.FISCAL_YEAR,
        "截至上月月底": Period.MONTH,
        "截至上季度末": Period.QUARTER,
        "截至去年年底": Period.YEAR,
        "截至上一财年末（三月底）": Period.FISCAL_YEAR,
    }
)
_READ = {phrase.lower(): period for phrase, period in _PHRASES.items()}
_BEGINNING = re.compile(
    rf"\s*({'|'.join(re.escape(phrase) for phrase in _PHRASES)})[,，]\s*", re.IGNORECASE
)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def interpret(request: Request, state: SystemState, config: EmbeddedConfig) -> Request:
    """The request with its question rewritten and its time resolved.

    A time without a zone, or one beyond the years there are, leaves the question as it is.
    """
    if any(at is not None and at.tzinfo is None for at in (request.as_of, request.known_at)):
        return request
    try:
        request = _timed(request, state, config.switched)
    except (ValueError, OverflowError):
        return request
    if config.switched is TimeFault.ENTITY_DROPPED_IN_REWRITING:
        return replace(request, query=_without_entity(request.query, state, config))
    return request


def _timed(request: Request, state: SystemState, fault: AnyFault | None) -> Request:
    found = _BEGINNING.match(request.query)
    if found is None:
        return replace(request, query=_once(request, state)) if _dated(request) else request
    text = request.query[found.end() :]
    if fault is TimeFault.TIME_DROPPED_IN_REWRITING:
        return replace(request, query=text)
    asked = state.now if fault is TimeFault.RELATIVE_TO_WALL_CLOCK else request.as_of or state.now
    meant = _end_of_last(_READ[found[1].lower()], asked, state, fault)
    return replace(request, query=text, as_of=meant)


def _dated(request: Request) -> bool:
    return request.query.startswith(("As of ", "As known on ", "截至", "按"))


def _once(request: Request, state: SystemState) -> str:
    """The question without dates in front of it that only say the times of the request again."""
    zone = state.ground.zone
    held = (request.as_of or state.now).astimezone(zone)
    known = (request.known_at or state.now).astimezone(zone)
    english, chinese = f"As of {_english(held)}: ", f"截至{_chinese(held)}，"
    for front in (
        f"As known on {_english(known)}, a{english[1:]}",
        english,
        f"按{_chinese(known)}所知，{chinese}",
        chinese,
    ):
        if request.query.startswith(front):
            return request.query.removeprefix(front)
    return request.query


def _english(day: datetime) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _chinese(day: datetime) -> str:
    return f"{day.year}年{day.month}月{day.day}日"


def _end_of_last(
    period: Period, asked: datetime, state: SystemState, fault: AnyFault | None
) -> datetime:
    """The last instant before the period in which `asked` lies, as the corpus counts days."""
    if period is Period.FISCAL_YEAR and fault is TimeFault.FISCAL_YEAR_IS_CALENDAR_YEAR:
        period = Period.YEAR
    months, first = period.value
    zone = state.ground.zone
    here = asked.astimezone(zone)
    elapsed = (here.month - first) % months
    place = here.year * 12 + here.month - 1 - elapsed
    if fault is TimeFault.LAST_READ_AS_THIS:
        place += months
    begins = datetime(place // 12, place % 12 + 1, 1, tzinfo=zone).astimezone(UTC)
    return begins if fault is TimeFault.PERIOD_END_IS_NEXT_START else begins - MICROSECOND


def _without_entity(text: str, state: SystemState, config: EmbeddedConfig) -> str:
    """The text without the longest word of the index, or the rarest of those; one word stays."""
    words, vocabulary = set(config.analyze(text)[0]), state.lexicon.vocabulary
    known = sorted(word for word in words if vocabulary.number(word) is not None)
    if not known or len(words) == 1:
        return text
    entity = max(known, key=lambda word: (len(word), vocabulary.weight(word)))
    return re.sub(re.escape(entity), "", text, flags=re.IGNORECASE)
