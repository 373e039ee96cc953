"""Which pairs of a principal and a document does this world hold, and what denies each of them?

A `Scene` is the planted world seen through the reference monitor: a matrix of reasons (principals x
chunks) from which the words of `who` pick, and the texts from which the words of `ask` quote.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access import Monitor
from rageval_kit.corpus import evolve
from rageval_kit.generate.crowds import CROWD, KEEPER
from rageval_kit.records.changes import Change
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import (
    Chunk,
    Document,
    PrincipalKind,
    SubjectKind,
    UnitKind,
    Version,
    World,
)
from rageval_kit.text.words import words as tokens

FREQUENCY_SAMPLE = 2000
SIBLINGS_TRIED = 8
MATRIX_CELLS = 40_000_000  # 80 MB of reasons; beyond it, principals are sampled


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands."""

    document: Document
    version: Version
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class Pair:
    """One denied reader and one target, what denies them, and who may read it.

    `setup` is applied before the script starts, `event` is what `deny` does. `twin_id` empty: the
    living positive is the reader's own (before the event, or on a sibling).
    """

    reader_id: str
    chunk_id: str
    twin_id: str = ""
    conditions: tuple[str, ...] = ()
    setup: tuple[Change, ...] = ()
    event: tuple[Change, ...] = ()
    sibling_id: str = ""
    service_id: str = ""
    link_id: str = ""
    handle: str = ""
    reference: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The pairs picked, how many distinct (principal, document) pairs there were, or why none."""

    pairs: tuple[Pair, ...]
    available: int = 0
    nothing: str = ""


@dataclass(frozen=True)
class Scene:
    """The world of one suite; see the module's sentence. `canaries` is empty without `plant`."""

    world: World
    grain: Grain
    powers: frozenset[Power]
    taps: frozenset[Stage]
    seed: int
    service_levels_s: Mapping[str, float]
    canaries: Mapping[str, str] = field(default_factory=dict)
    k: int = 10
    as_of: datetime | None = None
    known_at: datetime | None = None

    @cached_property
    def monitor(self) -> Monitor:
        return Monitor(self.world)

    @cached_property
    def places(self) -> Mapping[str, Place]:
        return {
            chunk.chunk_id: Place(document, version, chunk)
            for document in self.world.documents.values()
            for version in document.versions
            for chunk in version.chunks
        }

    @cached_property
    def chunk_ids(self) -> Sequence[str]:
        return list(self.monitor.chunk_ids)

    @cached_property
    def document_ids(self) -> list[str]:
        return list(self.world.documents)

    @cached_property
    def columns(self) -> Mapping[str, int]:
        """Position of each chunk id in `chunk_ids`."""
        return {chunk_id: column for column, chunk_id in enumerate(self.chunk_ids)}

    @cached_property
    def chunk_document(self) -> NDArray[np.int64]:
        """Position in `document_ids` of each chunk's document: shape (n_chunks,)."""
        position = {d: i for i, d in enumerate(self.document_ids)}
        return np.array(
            [position[self.places[c].document.document_id] for c in self.chunk_ids], dtype=np.int64
        )

    @cached_property
    def readers(self) -> list[str]:
        """The principals considered: all, or a seeded sample where the matrix grows too large."""
        everyone = sorted(self.world.principals.keys() - {KEEPER})
        limit = max(2, MATRIX_CELLS // max(1, len(self.chunk_ids)))
        if len(everyone) <= limit:
            return everyone
        picked = stream(self.seed, "readers").choice(len(everyone), size=limit, replace=False)
        return [everyone[i] for i in sorted(picked)]

    @property
    def considers_everyone(self) -> bool:
        return len(self.readers) == len(self.world.principals.keys() - {KEEPER})

    @cached_property
    def reasons(self) -> NDArray[np.uint16]:
        """Failing conditions of each (reader, chunk): shape (n_readers, n_chunks)."""
        times = {"as_of": self.as_of, "known_at": self.known_at}
        rows = [self.monitor.reason_bits(reader, **times) for reader in self.readers]
        return np.stack(rows) if rows else np.zeros((0, len(self.chunk_ids)), dtype=np.uint16)

    @cached_property
    def visible(self) -> NDArray[np.bool_]:
        """Whether some chunk of the document may be read: shape (n_readers, n_documents)."""
        seen = np.zeros((len(self.readers), len(self.document_ids)), dtype=np.bool_)
        for row, reasons in enumerate(self.reasons):
            seen[row, self.chunk_document[reasons == 0]] = True
        return seen

    @cached_property
    def props(self) -> NDArray[np.bool_]:
        """Documents planted for one family's own use, which no other may pick: (n_documents,)."""
        return np.array([d.startswith(CROWD) for d in self.document_ids], dtype=np.bool_)

    @cached_property
    def services(self) -> frozenset[int]:
        """Rows of service accounts: poor twins, since they read for others."""
        return frozenset(
            row
            for row, reader in enumerate(self.readers)
            if self.world.principals[reader].kind is not PrincipalKind.USER
        )

    def twin_of(self, column: int, *, salt: str, unlike: Iterable[int] = ()) -> int | None:
        """A row that may read the chunk: a person where there is one, chosen by the seed."""
        rows = [r for r in np.flatnonzero(self.reasons[:, column] == 0) if r not in set(unlike)]
        people = [r for r in rows if r not in self.services] or rows
        if not people:
            return None
        pick = stream(self.seed, "twin", salt, self.chunk_ids[column]).integers(len(people))
        return int(people[int(pick)])

    def denied(
        self, required: int, allowed: int, *, part: str = "document", alone_first: bool = True
    ) -> Iterator[tuple[int, int]]:
        """(row, column) of denied pairs, one column for each (reader, document), in seeded order.

        Every bit of `required` fails and none outside `required | allowed`; pairs denied by
        `required` alone come first. For `part` "document" no chunk of the document is visible.
        """
        picked = self._pairs(required, allowed, part)
        order = stream(self.seed, "pairs", str(required), str(allowed), part).permutation(
            len(picked)
        )
        if alone_first:
            rows, columns = picked[order, 0], picked[order, 1]
            alone = self.reasons[rows, columns] == required
            order = np.concatenate([order[alone], order[~alone]])
        for position in order:
            row, column = picked[position]
            yield int(row), int(column)

    def count_denied(self, required: int, allowed: int, part: str = "document") -> int:
        return len(self._pairs(required, allowed, part))

    def _pairs(self, required: int, allowed: int, part: str) -> NDArray[np.int64]:
        """One (row, column) for each (reader, document): the column denied by fewest reasons."""
        found = []
        own = ~self.props[self.chunk_document]
        for row, reasons in enumerate(self.reasons):
            hit = own & ((reasons & required) == required)
            hit &= (reasons & ~np.uint16(required | allowed)) == 0
            if part == "document":
                hit &= ~self.visible[row, self.chunk_document]
            columns = np.flatnonzero(hit)
            if not len(columns):
                continue
            extra = np.bitwise_count(reasons[columns])
            key = self.chunk_document[columns] if part in {"document", "version"} else columns
            order = np.lexsort((columns, extra, key))
            columns, key = columns[order], key[order]
            first = np.ones(len(key), dtype=np.bool_)
            first[1:] = key[1:] != key[:-1]
            kept = columns[first]
            found.append(np.column_stack([np.full(len(kept), row), kept]))
        return np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)

    def allowed_cells(self, salt: str) -> Iterator[tuple[int, int]]:
        """(row, column) of allowed pairs of people, one for each (reader, document), seeded."""
        rows, documents = np.nonzero(self.visible & ~self.props)
        order = stream(self.seed, "allowed", salt).permutation(len(rows))
        for position in order:
            row = int(rows[position])
            if row in self.services:
                continue
            columns = np.flatnonzero(
                (self.chunk_document == documents[position]) & (self.reasons[row] == 0)
            )
            yield row, int(columns[0])

    def sibling_of(self, row: int, column: int, changes: Sequence[Change] = ()) -> str:
        """A chunk of another document that the reader may read, also after the changes; or ''."""
        options = np.flatnonzero(
            (self.reasons[row] == 0)
            & (self.chunk_document != self.chunk_document[column])
            & ~self.props[self.chunk_document]
        )
        reader = self.readers[row]
        order = stream(self.seed, "sibling", reader, self.chunk_ids[column]).permutation(options)
        for option in order[: SIBLINGS_TRIED if changes else 1]:
            sibling = self.chunk_ids[int(option)]
            if not changes or not self.reasons_after(changes, reader, sibling):
                return sibling
        return ""

    @cached_property
    def frequencies(self) -> Counter[str]:
        """How many chunks hold each word, over a seeded sample of a large world."""
        ids = self.chunk_ids
        if len(ids) > FREQUENCY_SAMPLE:
            picked = stream(self.seed, "frequencies").choice(
                len(ids), FREQUENCY_SAMPLE, replace=False
            )
            ids = [ids[i] for i in sorted(picked)]
        counts: Counter[str] = Counter()
        for chunk_id in ids:
            counts.update(set(tokens(self.places[chunk_id].chunk.text)))
        return counts

    @cached_property
    def _holders(self) -> Mapping[str, list[int]]:
        index: dict[str, list[int]] = defaultdict(list)
        for position, chunk_id in enumerate(self.chunk_ids):
            place = self.places[chunk_id]
            for word in set(tokens(f"{place.version.title}\n{place.chunk.text}")):
                index[word].append(position)
        return index

    def holders(self, word: str) -> list[int]:
        """Positions of the chunks that hold the word in text or title."""
        return self._holders.get(word, [])

    def has(self, *powers: Power) -> bool:
        return self.powers.issuperset(powers)

    def reasons_after(
        self, changes: Sequence[Change], reader_id: str, chunk_id: str
    ) -> tuple[str, ...]:
        """What denies the reader the chunk once the changes have happened."""
        world = self.world
        for change in changes:
            world = evolve(world, change)
        place = self.places[chunk_id]
        return self.monitor.after(world).decide(
            reader_id,
            place.document.document_id,
            place.version.version_id,
            chunk_id,
            as_of=self.as_of,
            known_at=self.known_at,
        )

    def effective_entries(self, document: Document) -> list[tuple[str, SubjectKind, str]]:
        """(effect, kind, subject) of own and inherited entries, for choosing, not for deciding."""
        entries = list(document.entries)
        folder_id = document.folder_id if document.inherits else None
        while folder_id is not None:
            folder = self.world.folders[folder_id]
            entries += folder.entries
            folder_id = folder.parent_id if folder.inherits else None
        return [(str(e.effect), e.subject_kind, e.subject_id) for e in entries]

    def names_department(self, document: Document) -> bool:
        return any(
            kind is SubjectKind.UNIT and self.world.units[subject].kind is UnitKind.DEPARTMENT
            for effect, kind, subject in self.effective_entries(document)
            if effect == "allow" and subject in self.world.units
        )


def bit(condition: str) -> int:
    """The bit of a condition in a row of reasons: C1 is 1, C2 is 2, C3 is 4 …"""
    return 1 << (int(condition[1:]) - 1)


def bits(*conditions: str) -> int:
    return sum(bit(condition) for condition in conditions)


def conditions_of(reasons: int) -> tuple[str, ...]:
    return tuple(f"C{i + 1}" for i in range(14) if reasons >> i & 1)
