"""How do instants become numbers that arrays compare exactly, and which does a request mean?"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np

from rageval_kit.records.world import State, Version
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_time import TimeFault

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DAY = timedelta(days=1) // MICROSECOND
EVER_SINCE = int(np.iinfo(np.int64).min)
FOR_EVER = int(np.iinfo(np.int64).max)


def micros(instant: datetime) -> int:
    """Whole microseconds since 1970 UTC; exact, and a naive instant is refused by TypeError."""
    return (instant - _EPOCH) // MICROSECOND


def instant_of(number: int) -> datetime:
    """The instant of a number that `micros` gave."""
    return _EPOCH + number * MICROSECOND


def state_of(version: Version, now: datetime) -> State:
    """A draft before the first entry of its history."""
    return next((state for at, state in reversed(version.states) if at <= now), State.DRAFT)


def start_of(instant: datetime | None) -> int:
    return EVER_SINCE if instant is None else micros(instant)


def end_of(*instants: datetime | None) -> int:
    """The earliest of several ends; None is open."""
    return min((micros(instant) for instant in instants if instant is not None), default=FOR_EVER)


@dataclass(frozen=True, slots=True)
class Instants:
    """`now` for rights, `as_of` and `known_at` for content; in microseconds."""

    now: int
    as_of: int
    known_at: int


def instants(
    now: datetime, as_of: datetime | None, known_at: datetime | None, fault: AnyFault | None
) -> Instants:
    """What a request leaves out is now."""
    content = now if as_of is None or fault is TimeFault.AS_OF_IGNORED else as_of
    known = now if known_at is None or fault is TimeFault.KNOWN_AT_IGNORED else known_at
    if fault is TimeFault.NAIVE_TIME_ZONE:
        content, known = content.replace(tzinfo=UTC), known.replace(tzinfo=UTC)
    if fault is TimeFault.START_EXCLUSIVE:
        content -= MICROSECOND
    rights = content if fault is TimeFault.RIGHTS_AS_OF else now
    return Instants(micros(rights), micros(content), micros(known))
