"""How does a pair come to be denied by one condition alone, where the world as it stands has none?

By a change that leaves only that condition failing, or, for validity and record, by the times that
the question asks for. Every pair is checked with the monitor; what cannot be brought about stays a
gap.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from rageval_kit.generate.cells import Among, Place
from rageval_kit.generate.pairs import (
    NO_MATCH,
    Script,
    count_unentitled,
    staged,
    unentitled,
)
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.records.changes import AddLink, Change, Enroll, Grant, Malform, SetState, SetStatus
from rageval_kit.records.target import Grain, Power
from rageval_kit.records.world import (
    ALWAYS,
    Effect,
    Entry,
    Membership,
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Window,
)

DAY = timedelta(days=1)
JUST_BEFORE = timedelta(seconds=1)
OWN = frozenset({"C5", "C6", "C7"})  # their living positive is the reader's own
PART = {Grain.DOCUMENT: "document", Grain.VERSION: "version", Grain.CHUNK: "chunk"}
Changed = tuple[tuple[Change, ...], tuple[Change, ...]]


def brought_about(scene: Scene, condition: str, limit: int) -> Found:
    """Pairs denied by the condition alone after a change, or at other times asked for."""
    if scene.has(Power.MUTATE, Power.RESTORE):
        for attempt in (by_granting, _by_changing):
            found = attempt(scene, condition, limit)
            if found.pairs:
                return found
    if condition in {"C6", "C7"} and scene.has(Power.CLOCK):
        return _by_asking(scene, condition, limit)
    return Found(())


def by_granting(scene: Scene, condition: str, limit: int, among: Among | None = None) -> Found:
    """Who fails the condition and has no live entry beside it is given one by name."""
    required, part = bit(condition), PART[scene.grain]
    if required & NO_MATCH:
        return Found(())

    def script(reader: str, place: Place, _: str) -> Changed:
        return (Grant(place.document.document_id, _entry(reader, place)),), ()

    cells = (
        cell
        for cell in scene.denied(required, NO_MATCH, part=part, among=among)
        if cell[0] not in scene.services
    )
    available = scene.count_denied(required, NO_MATCH, part, among=among)
    twin = "none" if condition in OWN else "kept"
    return staged(scene, cells, script, condition, limit, available=available, twin=twin)


def _entry(reader: str, place: Place, window: Window = ALWAYS) -> Entry:
    entry_id = f"kit-alone-{place.document.document_id}-{reader}"
    return Entry(entry_id, Effect.ALLOW, SubjectKind.USER, reader, window)


def _by_changing(scene: Scene, condition: str, limit: int) -> Found:
    """Who may read is stopped (C1, C5, C11), or who has no entry gets one that does not reach."""
    now = scene.world.clock
    over = Window(now - 2 * DAY, now - DAY)

    def suspended(reader: str, _: Place, __: str) -> Changed:
        return (SetStatus(reader, PrincipalStatus.SUSPENDED, now),), ()

    def quarantined(_: str, place: Place, __: str) -> Changed:
        return (SetState(place.document.document_id, State.QUARANTINED, now),), ()

    def expired(reader: str, place: Place, _: str) -> Changed:
        return (Grant(place.document.document_id, _entry(reader, place, over)),), ()

    def lapsed(reader: str, place: Place, _: str) -> Changed | None:
        for entry in scene.effective_entries(place.document):
            if entry.effect is Effect.ALLOW and entry.subject_kind is SubjectKind.UNIT:
                membership_id = f"kit-alone-{entry.subject_id}-{reader}"
                return (
                    Enroll(Membership(membership_id, entry.subject_id, reader, window=over)),
                ), ()
        return None

    def unopened(reader: str, place: Place, _: str) -> Changed:
        link_id = f"kit-alone-{place.document.document_id}-{reader}"
        entry = Entry(f"{link_id}-entry", Effect.ALLOW, SubjectKind.LINK, link_id)
        return (AddLink(ShareLink(link_id)), Grant(place.document.document_id, entry)), ()

    def emptied(_: str, place: Place, __: str) -> Changed:
        return (Malform(place.document.document_id, "empty"),), ()

    readable: Mapping[str, tuple[Script, str]] = {
        "C1": (suspended, "kept"),
        "C5": (quarantined, "none"),
        "C11": (emptied, "none"),
    }
    unnamed: Mapping[str, Script] = {"C12": expired, "C13": lapsed, "C14": unopened}
    if condition in readable:
        script, twin = readable[condition]
        cells, available = scene.allowed_cells(f"alone-{condition}"), scene.count_allowed()
        return staged(scene, cells, script, condition, limit, available=available, twin=twin)
    if condition in unnamed:
        available = count_unentitled(scene)
        return staged(
            scene, unentitled(scene), unnamed[condition], condition, limit, available=available
        )
    return Found(())


def _by_asking(scene: Scene, condition: str, limit: int) -> Found:
    """What may be read now was not yet in force, or not yet known, when the question asks for."""
    pairs: list[Pair] = []
    begins: Callable[[Place], datetime | None] = (
        _in_force_from if condition == "C6" else _known_from
    )
    for row, column, start in _dated(scene, condition, begins):
        if len(pairs) >= limit:
            break
        reader_id, chunk_id = scene.readers[row], scene.chunk_ids[column]
        asked = start - JUST_BEFORE
        pair = Pair(
            reader_id,
            chunk_id,
            conditions=(condition,),
            sibling_id=scene.sibling_of(row, column),
            as_of=asked if condition == "C6" else None,
            known_at=asked if condition == "C7" else None,
        )
        if pair.sibling_id and _denied_then(scene, pair, condition):
            pairs.append(pair)
    return Found(tuple(pairs), len(pairs))


def _dated(
    scene: Scene, condition: str, begins: Callable[[Place], datetime | None]
) -> Iterator[tuple[int, int, datetime]]:
    """Readable cells whose version began at some instant up to now."""
    for row, column in scene.allowed_cells(f"alone-{condition}"):
        start = begins(scene.places[scene.chunk_ids[column]])
        if start is not None and start <= scene.world.clock:
            yield row, column, start


def _in_force_from(place: Place) -> datetime | None:
    return place.version.valid_from


def _known_from(place: Place) -> datetime | None:
    return place.version.recorded_from


def _denied_then(scene: Scene, pair: Pair, condition: str) -> bool:
    place = scene.places[pair.chunk_id]
    as_of, known_at = pair.as_of or scene.as_of, pair.known_at or scene.known_at
    reasons = scene.monitor.decide(
        pair.reader_id,
        place.document.document_id,
        place.version.version_id,
        pair.chunk_id,
        as_of=as_of,
        known_at=known_at,
    )
    permitted = scene.monitor.permitted(pair.reader_id, scene.grain, as_of=as_of, known_at=known_at)
    return reasons == (condition,) and scene.id_of(pair.chunk_id) not in permitted
