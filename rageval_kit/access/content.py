"""Which documents, versions and chunks are there, with which labels, times and states?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access.times import Times, micros
from rageval_kit.records.faults import Fault
from rageval_kit.records.world import Document, State, Version

BEGINNING = np.iinfo(np.int64).min
END = np.iinfo(np.int64).max
NO_LEVEL = -1
STATES = tuple(State)
DRAFT = STATES.index(State.DRAFT)

C5, C6, C7 = np.uint16(1 << 4), np.uint16(1 << 5), np.uint16(1 << 6)


@dataclass(frozen=True, slots=True)
class Content:
    """Flat columns in the order of the world: documents, their versions, states and chunks.

    `level` is the chunk's own or its document's (`NO_LEVEL`: look at the folders); `sets` are the
    distinct sets of compartments, to which `compartments` points. A version without `valid_from`
    begins at the end of time.
    """

    n_versions: NDArray[np.intp]
    version_ids: list[str]
    n_chunks: NDArray[np.intp]
    n_states: NDArray[np.intp]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    recorded_from: NDArray[np.int64]
    recorded_to: NDArray[np.int64]
    state_at: NDArray[np.int64]
    state: NDArray[np.int8]
    chunk_ids: list[str]
    level: NDArray[np.int16]
    compartments: NDArray[np.intp]
    sets: tuple[frozenset[str], ...]

    def states_at(self, now: datetime) -> NDArray[np.int8]:
        """Per version, the last state reached; a draft before the first."""
        # Before everything stands one more state, for versions that have reached none.
        states = np.append(np.int8(DRAFT), self.state)
        place = np.arange(1, len(states)) * (self.state_at <= micros(now))
        last = np.maximum.accumulate(np.append(0, place))
        first = starts(self.n_states)
        reached = last[first[1:]]
        return np.where(reached > first[:-1], states[reached], np.int8(DRAFT))

    def failing(
        self, times: Times, states: NDArray[np.int8], *, archive: bool
    ) -> NDArray[np.uint16]:
        """Per version, C5 to C7 as bits; the owner's own draft is left to the caller."""
        readable = {State.PUBLISHED, State.WITHDRAWN} if archive else {State.PUBLISHED}
        unreadable = np.array([state not in readable for state in STATES])[states]
        as_of, known_at = micros(times.as_of), micros(times.known_at)
        in_force = (self.valid_from <= as_of) & (as_of < self.valid_to)
        recorded = (self.recorded_from <= known_at) & (known_at < self.recorded_to)
        return unreadable * C5 | ~in_force * C6 | ~recorded * C7

    def spliced(
        self, changed: Mapping[int, Document], added: Sequence[Document], reader: "ContentReader"
    ) -> "Content":
        """This content with some documents replaced, by position, and others added at the end."""
        pieces: list[Content] = []
        begin = 0
        for position in sorted(changed):
            if begin < position:
                pieces.append(self._between(begin, position))
            pieces.append(reader.read([changed[position]]))
            begin = position + 1
        if begin < len(self.n_versions):
            pieces.append(self._between(begin, len(self.n_versions)))
        if added or not pieces:
            pieces.append(reader.read(added))
        if len(pieces) == 1:
            return pieces[0]
        return _joined(pieces, reader)

    def with_sets(self, sets: tuple[frozenset[str], ...]) -> "Content":
        return replace(self, sets=sets)

    def _between(self, begin: int, end: int) -> "Content":
        document = slice(begin, end)
        version = _inside(self.n_versions, document)
        state, chunk = _inside(self.n_states, version), _inside(self.n_chunks, version)
        return Content(
            self.n_versions[document],
            self.version_ids[version],
            self.n_chunks[version],
            self.n_states[version],
            self.valid_from[version],
            self.valid_to[version],
            self.recorded_from[version],
            self.recorded_to[version],
            self.state_at[state],
            self.state[state],
            self.chunk_ids[chunk],
            self.level[chunk],
            self.compartments[chunk],
            self.sets,
        )


class ContentReader:
    """Reads documents into columns; keeps the labels' levels and the sets of compartments met."""

    def __init__(
        self,
        levels: Mapping[str, int],
        faults: list[Fault],
        sets: Iterable[frozenset[str]] = (frozenset(),),
    ) -> None:
        self._levels = levels
        self._faults = faults
        self._sets = {known: position for position, known in enumerate(sets)}

    @property
    def sets(self) -> tuple[frozenset[str], ...]:
        return tuple(self._sets)

    def set_of(self, compartments: frozenset[str]) -> int:
        return self._sets.setdefault(compartments, len(self._sets))

    def level_of(self, label: str | None, where: str) -> int:
        if label is None:
            return NO_LEVEL
        level = self._levels.get(label)
        if level is None:
            self._faults.append(
                Fault(
                    where,
                    "its label is not among the policy's",
                    repr(label),
                    f"use one of {', '.join(self._levels) or '(none declared)'} or declare it",
                )
            )
            return NO_LEVEL
        return level

    def read(self, documents: Iterable[Document]) -> Content:
        n_versions: list[int] = []
        versions: list[Version] = []
        chunk_ids: list[str] = []
        levels: list[int] = []
        compartments: list[int] = []
        for document in documents:
            n_versions.append(len(document.versions))
            versions.extend(document.versions)
            level = self.level_of(document.label, f"document {document.document_id}")
            own = self.set_of(document.compartments)
            for version in document.versions:
                for chunk in version.chunks:
                    chunk_ids.append(chunk.chunk_id)
                    levels.append(
                        level
                        if chunk.label is None
                        else self.level_of(chunk.label, f"chunk {chunk.chunk_id}")
                    )
                    compartments.append(
                        self.set_of(chunk.compartments | document.compartments)
                        if chunk.compartments
                        else own
                    )
        states = [entry for version in versions for entry in version.states]
        return Content(
            np.array(n_versions, np.intp),
            [version.version_id for version in versions],
            np.array([len(version.chunks) for version in versions], np.intp),
            np.array([len(version.states) for version in versions], np.intp),
            _instants((version.valid_from for version in versions), END),
            _instants((version.valid_to for version in versions), END),
            _instants((version.recorded_from for version in versions), BEGINNING),
            _instants((version.recorded_to for version in versions), END),
            _instants((at for at, _ in states), BEGINNING),
            np.array([STATES.index(state) for _, state in states], np.int8),
            chunk_ids,
            np.array(levels, np.int16),
            np.array(compartments, np.intp),
            self.sets,
        )


def starts(counts: NDArray[np.intp]) -> NDArray[np.intp]:
    """Where each run begins, and behind the last one where it ends."""
    found = np.zeros(len(counts) + 1, np.intp)
    np.cumsum(counts, out=found[1:])
    return found


def _inside(counts: NDArray[np.intp], outer: slice) -> slice:
    first = int(counts[: outer.start].sum())
    return slice(first, first + int(counts[outer].sum()))


def _instants(instants: Iterable[datetime | None], missing: int) -> NDArray[np.int64]:
    return np.array([missing if at is None else micros(at) for at in instants], np.int64)


def _joined(pieces: Sequence[Content], reader: ContentReader) -> Content:
    return Content(
        np.concatenate([piece.n_versions for piece in pieces]),
        [version_id for piece in pieces for version_id in piece.version_ids],
        np.concatenate([piece.n_chunks for piece in pieces]),
        np.concatenate([piece.n_states for piece in pieces]),
        np.concatenate([piece.valid_from for piece in pieces]),
        np.concatenate([piece.valid_to for piece in pieces]),
        np.concatenate([piece.recorded_from for piece in pieces]),
        np.concatenate([piece.recorded_to for piece in pieces]),
        np.concatenate([piece.state_at for piece in pieces]),
        np.concatenate([piece.state for piece in pieces]),
        [chunk_id for piece in pieces for chunk_id in piece.chunk_ids],
        np.concatenate([piece.level for piece in pieces]),
        np.concatenate([piece.compartments for piece in pieces]),
        reader.sets,
    )
