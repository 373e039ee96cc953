"""How do instants become numbers that arrays compare exactly?"""

from datetime import UTC, datetime, timedelta

import numpy as np

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
EVER_SINCE = int(np.iinfo(np.int64).min)
FOR_EVER = int(np.iinfo(np.int64).max)


def micros(instant: datetime) -> int:
    """Whole microseconds since 1970 UTC; exact, and a naive instant is refused by TypeError."""
    return (instant - _EPOCH) // _MICROSECOND


def start_of(instant: datetime | None) -> int:
    return EVER_SINCE if instant is None else micros(instant)


def end_of(*instants: datetime | None) -> int:
    """The earliest of several ends; None is open."""
    return min((micros(instant) for instant in instants if instant is not None), default=FOR_EVER)
