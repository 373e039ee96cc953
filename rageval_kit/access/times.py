"""At which instants is a question about rights asked?"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import World

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Times:
    """Rights and states are read at `now`, validity at `as_of`, what was recorded at `known_at`."""

    now: datetime
    as_of: datetime
    known_at: datetime


def settle(
    world: World,
    now: datetime | None,
    as_of: datetime | None,
    known_at: datetime | None,
) -> Times:
    """Each instant that is not given is the world's clock, never the machine's."""
    times = Times(
        world.clock if now is None else now,
        world.clock if as_of is None else as_of,
        world.clock if known_at is None else known_at,
    )
    faults = [
        Fault(name, "the instant has no time zone", str(instant), "give one with an offset")
        for name, instant in (
            ("now", times.now),
            ("as_of", times.as_of),
            ("known_at", times.known_at),
        )
        if instant.utcoffset() is None
    ]
    if not faults and times.known_at > times.now:
        faults.append(
            Fault(
                "known_at",
                "nothing can be known later than now",
                f"known_at {times.known_at.isoformat()}, now {times.now.isoformat()}",
                "give a known_at at or before now (it defaults to the world's clock)",
            )
        )
    if faults:
        raise InputError(faults)
    return times


def micros(instant: datetime) -> int:
    """Microseconds since 1970, exactly; floating seconds would merge neighbouring instants."""
    if instant.tzinfo is None:
        raise InputError.one("world", "an instant has no time zone", str(instant), "add its offset")
    return (instant - EPOCH) // MICROSECOND
