"""When is each version of a planted document in force, recorded and approved?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from rageval_kit.records.streams import python_stream
from rageval_kit.records.world import State, World

DAY = timedelta(days=1)
APART = 450  # days between two versions: more than any year, so that "last year" met the older
LATEST, JITTER = 40, 25
ANNOUNCED = 20 * DAY
ODD = timedelta(hours=9, minutes=17, microseconds=123_457)
AWAY = 3 * DAY
States = tuple[tuple[datetime, State], ...]


@dataclass(frozen=True, slots=True)
class Period:
    """`is_to_come`: it is published by an event of the script, and not there before.

    `valid_from` None: nobody said from when it is valid, so it never is.
    """

    valid_from: datetime | None
    valid_to: datetime | None = None
    recorded_from: datetime | None = None
    recorded_to: datetime | None = None
    states: States = ()
    is_to_come: bool = False


def periods(world: World, args: Mapping[str, object], seed: int, name: str) -> list[Period]:
    """One for each version; edges lie at midnight of the corpus and at odd times by turns."""
    pick = python_stream(seed, "version times", name)
    clock = world.clock

    def at(days_ago: int, *, odd: bool = False) -> datetime:
        day = (clock.astimezone(ZoneInfo(world.timezone)) - days_ago * DAY).date()
        midnight = datetime.combine(day, time(), ZoneInfo(world.timezone)).astimezone(UTC)
        return midnight + ODD if odd else midnight

    late = LATEST + pick.randrange(JITTER)
    if "grid" in args:
        return _grid([at(late + 2 * APART), at(late + APART), at(late)], clock)
    if {"edition", "conflict"} & args.keys():
        start = at(late + APART)
        return [_published(start)] * int(str(args.get("edition") or args["conflict"]))
    if "state" in args:
        return _beside(at(late + APART), at(late), clock, State(str(args["state"])))
    second = args.get("second")
    if second == "on_event":
        coming = Period(clock, None, clock, None, ((clock, State.PUBLISHED),), is_to_come=True)
        return [_published(at(late)), coming]
    if second == "effective_tomorrow":
        tomorrow = at(-1)
        recorded = clock - AWAY
        future = Period(tomorrow, None, recorded, None, ((recorded, State.PUBLISHED),))
        return [_published(at(late), tomorrow), future]
    n = int(str(args.get("chain", 3)))
    starts = [at(late + APART * back, odd=back % 2 == 1) for back in range(n - 1, -1, -1)]
    return _chain(starts, str(args.get("shape", "")), clock)


def _published(start: datetime, end: datetime | None = None) -> Period:
    recorded = start - ANNOUNCED
    return Period(start, end, recorded, None, ((recorded, State.PUBLISHED),))


def _chain(starts: list[datetime], shape: str, clock: datetime) -> list[Period]:
    """Each ends where the next begins, but for what the shape changes.

    `line`: the oldest was recorded last, as when an archive is filled in later. `branch`: the last
    but one holds on beside the last for a while. `skip`: the last but one is missing. `undated`:
    the last says nothing of when it takes effect, so the last but one holds on.
    """
    chain = [_published(a, b) for a, b in zip(starts, [*starts[1:], None], strict=True)]
    if shape == "line":
        recorded = clock - AWAY
        first = Period(starts[0], starts[1], recorded, None, ((recorded, State.PUBLISHED),))
        return [first, *chain[1:]]
    if shape == "branch":
        *before, last_but_one, last = chain
        return [*before, replace(last_but_one, valid_to=starts[-1] + 20 * DAY), last]
    if shape == "undated":
        *before, last_but_one, last = chain
        return [*before, replace(last_but_one, valid_to=None), replace(last, valid_from=None)]
    return [*chain[:-2], chain[-1]] if shape == "skip" else chain


def _grid(starts: list[datetime], clock: datetime) -> list[Period]:
    """Three periods, and the record of all three corrected twice, long after the fact."""
    known = [clock - 30 * DAY, clock - 20 * DAY, clock - 10 * DAY]
    return [
        Period(start, end, recorded, until, ((recorded, State.PUBLISHED),))
        for start, end in zip(starts, [*starts[1:], None], strict=True)
        for recorded, until in zip(known, [*known[1:], None], strict=True)
    ]


def _beside(start: datetime, newer: datetime, clock: datetime, state: State) -> list[Period]:
    """The approved version holds on; the newer one beside it is not, or no longer, approved."""
    recorded = newer - ANNOUNCED
    states: States = ((recorded, state),)
    if state is not State.DRAFT:
        states = ((recorded, State.PUBLISHED), (clock - AWAY, state))
    return [_published(start), Period(newer, None, recorded, None, states)]
