"""Which cells of the matrix of reasons (principals x chunks) are denied, by what, and which not?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access import Monitor
from rageval_kit.generate.crowds import CROWD, KEEPER
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Grain, Power, Stage
from rageval_kit.records.world import Chunk, Document, PrincipalKind, Version, World

OPEN_THEN = "open as of a time"  # what a citation shows is then that of the time asked for
OTHER_WORLD = "other_world"
EXACT = "exact"
VIA = "via"
AUDIT = "audit"  # to have its audit trail read


def door(name: str) -> str:
    """The ability to be asked at a door: records.target.HasDoors."""
    return f"look:{name}"


PAIRS_KEPT = 4
HUNDREDTHS = 100
MATRIX_CELLS = 40_000_000  # 80 MB of reasons; beyond it, principals are sampled


@dataclass(frozen=True)
class Common:
    """What tells nothing, because it stands in many places.

    `sentences`: how many documents hold each sentence, where not one only. `words`: how many of `n`
    sampled passages hold each word.
    """

    sentences: Mapping[str, int] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)
    n: int = 0

    @cached_property
    def told(self) -> Mapping[str, int]:
        """How much each word tells: the more, the fewer hold it; under "" one that none holds.

        In whole numbers, so that sums do not hang on their order.
        """
        counts = {**self.words, "": 0}
        return {
            word: round(HUNDREDTHS * (1 + log((self.n + 1) / (count + 1))))
            for word, count in counts.items()
        }


class Among(StrEnum):
    """The world's own readers and documents, planted readers of its own documents, or both.

    ALL is for families that plant: what they planted is theirs to pick. Nobody picks a crowd.
    """

    OWN = "own"
    OUTSIDERS = "outsiders"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands."""

    document: Document
    version: Version
    chunk: Chunk


@dataclass(frozen=True)
class Cells:
    """The planted world as the monitor sees it. `canaries` is empty without `plant`.

    `own` is the world as its files say it, before anything was planted; None: `world` is. `among`
    is what the family at hand may pick from.
    """

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
    own: World | None = None
    common: Common = field(default_factory=Common)
    abilities: frozenset[str] = frozenset({"open", OPEN_THEN, "count", "read"})
    among: Among = Among.OWN

    @property
    def given(self) -> World:
        return self.own or self.world

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
        own = [reader for reader in everyone if reader in self.given.principals]
        picked = stream(self.seed, "readers").permutation(len(own))[:limit]
        return sorted({*everyone} - {*own} | {own[i] for i in picked})

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Position of each principal in `readers`."""
        return {reader: row for row, reader in enumerate(self.readers)}

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
        own = self.given.documents
        return self.crowd | np.array([d not in own for d in self.document_ids], dtype=np.bool_)

    @cached_property
    def crowd(self) -> NDArray[np.bool_]:
        """Documents that are many of a kind, which nobody picks as a target: (n_documents,)."""
        return np.array([d.startswith(CROWD) for d in self.document_ids], dtype=np.bool_)

    @cached_property
    def extras(self) -> frozenset[int]:
        """Rows of people planted for one family's own use."""
        own = self.given.principals
        return frozenset(row for row, reader in enumerate(self.readers) if reader not in own)

    @cached_property
    def attributes(self) -> frozenset[str]:
        """The conditions for which the world itself, without what was planted, has attributes."""
        return Monitor(self.given).attributes()

    def denies(self, required: int) -> bool:
        """Whether the world itself denies anybody anything by this, alone or beside others."""
        own = ~self.props[self.chunk_document]
        return any(
            bool((reasons[own] & required).any())
            for row, reasons in enumerate(self.reasons)
            if row not in self.extras
        )

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
        people = [r for r in people if r not in self.extras] or people
        if not people:
            return None
        pick = stream(self.seed, "twin", salt, self.chunk_ids[column]).integers(len(people))
        return int(people[int(pick)])

    def denied(
        self,
        required: int,
        allowed: int,
        *,
        part: str = "document",
        alone_first: bool = True,
        among: Among | None = None,
    ) -> Iterator[tuple[int, int]]:
        """(row, column) of denied pairs, one column for each (reader, document), in seeded order.

        Every bit of `required` fails and none outside `required | allowed`; pairs denied by
        `required` alone come first. For `part` "document" no chunk of the document is visible, for
        "version" none of the version.
        """
        picked = self._pairs(required, allowed, part, among or self.among)
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

    def count_denied(
        self, required: int, allowed: int, part: str = "document", *, among: Among | None = None
    ) -> int:
        return len(self._pairs(required, allowed, part, among or self.among))

    def _pairs(self, *key: Any) -> NDArray[np.int64]:
        """What `_found` finds; several words of `who` ask for the same pairs in turn."""
        if key not in self._lately:
            while len(self._lately) >= PAIRS_KEPT:
                del self._lately[next(iter(self._lately))]
            self._lately[key] = self._found(*key)
        return self._lately[key]

    @cached_property
    def _lately(self) -> dict[Any, NDArray[np.int64]]:
        return {}

    def _found(self, required: int, allowed: int, part: str, among: Among) -> NDArray[np.int64]:
        """One (row, column) for each (reader, document): the column denied by fewest reasons."""
        found = []
        barred = self.crowd if among is Among.ALL else self.props
        own = ~barred[self.chunk_document]
        of_version = self.monitor.version_of_chunk
        for row, reasons in enumerate(self.reasons):
            if among is not Among.ALL and (row in self.extras) is (among is Among.OWN):
                continue
            hit = own & ((reasons & required) == required)
            hit &= (reasons & ~np.uint16(required | allowed)) == 0
            if part == "document":
                hit &= ~self.visible[row, self.chunk_document]
            elif part == "version":
                hit &= ~np.isin(of_version, of_version[reasons == 0])
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

    def allowed_cells(
        self, salt: str, keep: Callable[[Document], bool] | None = None
    ) -> Iterator[tuple[int, int]]:
        """(row, column) of allowed pairs of people, one for each (reader, document), seeded."""
        rows, documents = np.nonzero(self._allowed(keep))
        first = np.searchsorted(self.chunk_document, np.arange(len(self.document_ids) + 1))
        order = stream(self.seed, "allowed", salt).permutation(len(rows))
        for position in order:
            row, document = int(rows[position]), int(documents[position])
            start = int(first[document])
            readable = self.reasons[row, start : int(first[document + 1])] == 0
            yield row, start + int(readable.argmax())

    def count_allowed(self, keep: Callable[[Document], bool] | None = None) -> int:
        return int(self._allowed(keep).sum())

    def _allowed(self, keep: Callable[[Document], bool] | None) -> NDArray[np.bool_]:
        """What people of the world may see of its own documents: (n_readers, n_documents)."""
        documents = ~self.props
        if keep is not None:
            documents &= [keep(self.world.documents[d]) for d in self.document_ids]
        allowed = self.visible & documents
        allowed[[*(self.services | self.extras)]] = False
        return allowed
