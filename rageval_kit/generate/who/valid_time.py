"""The version is not in force at the time asked about: over, or not yet begun (C6)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from rageval_kit.corpus.times import INSTANT
from rageval_kit.generate.cells import Place
from rageval_kit.generate.moments import OFFSETS, Moment, found_at, reader_of, targets
from rageval_kit.generate.pairs import staged
from rageval_kit.generate.relative import PHRASES, end_of_last
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.generate.words import without_marks
from rageval_kit.records.changes import Change, PublishVersion
from rageval_kit.records.target import Grain
from rageval_kit.records.world import Document, State, Version

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("superseded", "not_yet", "past", "boundary", "zone", "lately_changed"),
    "edge": ("start", "end"),
    "offset": tuple(OFFSETS),
    "zone": ("UTC", "Asia/Shanghai", "America/New_York"),
}
SOON = timedelta(hours=6)


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Of what the world shows for the family; where it shows nothing, a version is superseded.

    `superseded`: by the exhibit's own event where it has one, else as it stands. `past`: inside
    each interval. `boundary`: at, just before and just after an edge. `zone`: the same, said in
    another zone. `lately_changed`: a relative date of the question means a time before the change.
    """
    del part
    if scene.grain is Grain.DOCUMENT:
        return Found((), 0, "the target's ids do not tell versions apart")
    if not scene.exhibits:
        return _revised(scene, limit)
    if args.get("is", "superseded") == "superseded" and any(e.events for e in scene.exhibits):
        return _published(scene, limit)
    moments = [
        (exhibit, moment)
        for exhibit, document in targets(scene)
        for moment in MOMENTS[args.get("is", "superseded")](scene, document, args)
    ]
    return found_at(
        scene, moments, "C6", limit, "no version of this world begins or ends like this"
    )


def _over(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    del args
    now = scene.as_of or scene.world.clock
    for version in document.versions:
        if version.valid_to is not None and version.valid_to <= now:
            yield Moment(version.version_id)


def _not_yet(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    del args
    now = scene.as_of or scene.world.clock
    for version in document.versions:
        if version.valid_from is not None and version.valid_from > now:
            yield Moment(version.version_id, living_at=version.valid_from)


def _inside(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    """Between each two neighbouring edges up to now: one version holds, several, or none."""
    del args
    clock = scene.world.clock
    head = max(document.versions, key=lambda v: (v.valid_from is not None, v.valid_from))
    edges = {e for v in document.versions for e in (v.valid_from, v.valid_to) if e and e < clock}
    ordered = [*sorted(edges), clock]
    for start, end in pairwise(ordered):
        yield Moment(head.version_id, start + (end - start) / 2, living_at=_living(head, clock))


def _edges(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    offset = OFFSETS[args.get("offset", "0")]
    for version in document.versions:
        edge = version.valid_from if args.get("edge", "start") == "start" else version.valid_to
        if edge is not None:
            living_at = _living(version, scene.world.clock)
            yield Moment(version.version_id, edge + offset, living_at=living_at)


def _zones(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    zone = ZoneInfo(args.get("zone", "UTC"))
    for moment in _edges(scene, document, args):
        if moment.as_of is not None:
            yield replace(moment, as_of=moment.as_of.astimezone(zone))


def _lately(scene: Scene, document: Document, args: Mapping[str, str]) -> Iterator[Moment]:
    """Soon after a version began, so that the end of any last period met the one before."""
    del args
    for version in document.versions:
        if version.valid_from is not None and version.valid_from + SOON <= scene.world.clock:
            asked = version.valid_from + SOON
            meant = (end_of_last(period, asked, scene.world.timezone) for period in PHRASES)
            yield Moment(version.version_id, asked, meant=tuple(meant))


MOMENTS = {
    "superseded": _over,
    "not_yet": _not_yet,
    "past": _inside,
    "boundary": _edges,
    "zone": _zones,
    "lately_changed": _lately,
}


def _living(version: Version, clock: datetime) -> datetime | None:
    if version.valid_from is not None:
        return version.valid_from
    return version.valid_to - INSTANT if version.valid_to else clock


def _published(scene: Scene, limit: int) -> Found:
    """A newer version is published by the exhibit's event; the older must then give way."""
    pairs = []
    for exhibit, document in targets(scene):
        event = exhibit.events.get("publish", ())
        reader_id = reader_of(scene, exhibit, document)
        new = next((c.version for c in event if isinstance(c, PublishVersion)), None)
        if not reader_id or new is None:
            continue
        old = document.versions[-1].chunks[0].chunk_id
        if scene.reasons_after(event, reader_id, old) == ("C6",):
            pairs.append(
                Pair(
                    reader_id,
                    old,
                    conditions=("C6",),
                    event=event,
                    sibling_id=new.chunks[0].chunk_id,
                    exhibit=exhibit,
                )
            )
    return Found(tuple(pairs[:limit]), len(pairs), "" if pairs else "nothing is to be published")


def _revised(scene: Scene, limit: int) -> Found:
    def script(_: str, place: Place, __: str) -> tuple[Sequence[Change], Sequence[Change]]:
        return (), (PublishVersion(place.document.document_id, _next(scene, place)),)

    return staged(
        scene,
        scene.allowed_cells("superseded"),
        script,
        "C6",
        limit,
        available=scene.count_allowed(),
        twin="none",
    )


def _next(scene: Scene, place: Place) -> Version:
    """The same version, revised now: same title, each passage under a new id, marked as revised."""
    now = scene.world.clock
    chunks = tuple(
        replace(
            chunk,
            chunk_id=f"{chunk.chunk_id}~kit",
            # The new version must not carry the old one's proof.
            text=f"{without_marks(chunk.text)} (revised / 已修订)",
        )
        for chunk in place.version.chunks
    )
    return replace(
        place.version,
        version_id=f"{place.version.version_id}~kit",
        chunks=chunks,
        valid_from=now,
        valid_to=None,
        recorded_from=now,
        recorded_to=None,
        states=((now, State.PUBLISHED),),
    )
