"""At which times does a document's version hold or not, and who can be asked about it then?

A moment is a time to ask about and the version that it is about. Each is looked up with the
monitor: the pair that comes of it has a version denied by the one condition meant, and, where any
is in force then, one that must be found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from rageval_kit.corpus.times import INSTANT
from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Found, Pair, Scene, bit, bits
from rageval_kit.records.streams import stream
from rageval_kit.records.world import Document

CONTENT = bits("C5", "C6", "C7")
OFFSETS: Mapping[str, timedelta] = {
    "-1us": -INSTANT,
    "0": timedelta(),
    "+1us": INSTANT,
    "-1min": timedelta(minutes=-1),
    "+1min": timedelta(minutes=1),
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A version at a time asked about; `living_at`: when it is in force, where it is not then.

    `meant`: the times that decide, where the question's words mean others than it carries.
    """

    version_id: str
    as_of: datetime | None = None
    known_at: datetime | None = None
    living_at: datetime | None = None
    meant: tuple[datetime, ...] = ()


def found_at(
    scene: Scene,
    moments: Sequence[tuple[Exhibit, Moment]],
    condition: str,
    limit: int,
    nothing: str,
) -> Found:
    """A pair for each moment that the monitor confirms, in seeded order."""
    pairs: list[Pair] = []
    order = stream(scene.seed, "moments", condition).permutation(len(moments))
    for position in order:
        if len(pairs) >= limit:
            return Found(tuple(pairs), len(moments))
        exhibit, moment = moments[position]
        pair = _pair(scene, exhibit, moment, condition)
        if pair is not None:
            pairs.append(pair)
    return Found(tuple(pairs), len(pairs), "" if pairs else nothing)


def targets(scene: Scene) -> Iterator[tuple[Exhibit, Document]]:
    """What the world shows, with the document that each exhibit is about."""
    for exhibit in scene.exhibits:
        document = scene.world.documents.get(exhibit.documents["target"])
        if document is not None:
            yield exhibit, document


def reader_of(scene: Scene, exhibit: Exhibit, document: Document) -> str:
    """Somebody whom nothing but time or state can deny the document; '' where there is nobody."""
    column = next((scene.columns[c.chunk_id] for v in document.versions for c in v.chunks), None)
    if column is None:
        return ""
    entitled = np.flatnonzero((scene.reasons[:, column] & ~np.uint16(CONTENT)) == 0)
    rows = [row for row in entitled if row not in scene.services and row not in scene.extras]
    if not rows:
        return ""
    pick = stream(scene.seed, "reader of versions", exhibit.exhibit_id).integers(len(rows))
    return scene.readers[rows[int(pick)]]


def middle(start: datetime | None, end: datetime | None, clock: datetime) -> datetime | None:
    """A time inside a window, up to the clock where it is open; None where it has none by then."""
    end = min(end or clock, clock)
    if start is None:
        return end - timedelta(days=1)
    return start + (end - start) / 2 if start < end else None


def _pair(scene: Scene, exhibit: Exhibit, moment: Moment, condition: str) -> Pair | None:
    document = scene.world.documents[exhibit.documents["target"]]
    reader_id = reader_of(scene, exhibit, document)
    if not reader_id:
        return None
    decided = [
        _decided(scene, reader_id, document, as_of, moment.known_at)
        for as_of in moment.meant or (moment.as_of,)
    ]
    ids = [version.version_id for version in document.versions]
    place = ids.index(moment.version_id)

    def nearest(reasons: int) -> str:
        """The version nearest to the one meant of which each time says the same."""
        able = [i for i, one in enumerate(ids) if all(d.get(one) == reasons for d in decided)]
        return ids[min(able, key=lambda i: (abs(i - place), -i))] if able else ""

    hidden, shown = nearest(bit(condition)), nearest(0)
    if not hidden or not (shown or moment.living_at):
        return None
    if not shown and _decided(scene, reader_id, document, moment.living_at, None).get(hidden):
        return None
    first = {
        version.version_id: version.chunks[0].chunk_id
        for version in document.versions
        if version.chunks
    }
    return Pair(
        reader_id,
        first[hidden],
        conditions=(condition,),
        sibling_id=first[shown or hidden],
        as_of=moment.as_of,
        known_at=moment.known_at,
        exhibit=exhibit,
        living_at=moment.living_at,
    )


def _decided(
    scene: Scene,
    reader_id: str,
    document: Document,
    as_of: datetime | None,
    known_at: datetime | None,
) -> Mapping[str, int]:
    """What denies the reader each version then; a version that no passage tells apart is left."""
    reasons = scene.monitor.reason_bits(
        reader_id, as_of=as_of or scene.as_of, known_at=known_at or scene.known_at
    )
    found: dict[str, int] = {}
    for version in document.versions:
        if not version.chunks:
            continue
        first = scene.columns[version.chunks[0].chunk_id]
        own = reasons[first : first + len(version.chunks)]  # passages of a version stand together
        if (own == own[0]).all():
            found[version.version_id] = int(own[0])
    return found
