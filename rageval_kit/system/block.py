"""What of a set of documents decides who may read each passage, laid out as columns?"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.world import (
    AccessPolicy,
    Document,
    Effect,
    Entry,
    State,
    SubjectKind,
    Version,
)
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_coverage import CoverageFault, was_left_out
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.instants import FOR_EVER, end_of, micros, start_of
from rageval_kit.system.lists import FolderTable, Lists, Naming, lay_out
from rageval_kit.system.markings import Markings, markings
from rageval_kit.system.names import Numbers, same_id

STATES: Mapping[State, int] = {state: code for code, state in enumerate(State)}
NEVER_CLEARED = int(np.iinfo(np.int16).max)
NO_CLEARANCE = -1
NO_LIST = -1


def level_of(label: str | None, policy: AccessPolicy) -> int:
    """The rank of a label; one missing where that denies, or unknown, is above every clearance."""
    if label is None:
        return NEVER_CLEARED if policy.unlabelled_denied else 0
    return policy.labels.index(label) if label in policy.labels else NEVER_CLEARED


def clearance_of(label: str | None, policy: AccessPolicy) -> int:
    """The rank a reader is cleared for; unknown, or missing where that denies, clears nothing."""
    if label is None:
        return NO_CLEARANCE if policy.unlabelled_denied else 0
    return policy.labels.index(label) if label in policy.labels else NO_CLEARANCE


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers that all blocks of a system share."""

    naming: Naming
    tenants: Numbers[str]
    compartments: Numbers[frozenset[str]]
    policy: AccessPolicy

    @property
    def fault(self) -> AnyFault | None:
        return self.naming.fault


@dataclass(frozen=True, slots=True)
class Block:
    """Columns by document, by version, by state entry and by passage; `positions` in the index."""

    lists: Lists
    tenant: NDArray[np.int32]
    folder: NDArray[np.int32]
    owner: NDArray[np.int32]
    title_level: NDArray[np.int16]
    title_compartments: NDArray[np.int32]
    version_document: NDArray[np.int32]
    valid_from: NDArray[np.int64]
    valid_to: NDArray[np.int64]
    recorded_from: NDArray[np.int64]
    recorded_to: NDArray[np.int64]
    state_version: NDArray[np.int32]
    state_at: NDArray[np.int64]
    state_code: NDArray[np.int8]
    passage_version: NDArray[np.int32]
    level: NDArray[np.int16]
    compartments: NDArray[np.int32]
    positions: NDArray[np.int64]

    def states(self, now: int) -> NDArray[np.int8]:
        """The state of each version at `now`: the last entry not after it, a draft before any."""
        states = np.full(len(self.valid_from), STATES[State.DRAFT], dtype=np.int8)
        begun = np.flatnonzero(self.state_at <= now)
        # entries stand in ascending order, and where a version repeats the last assignment stays
        states[self.state_version[begun]] = self.state_code[begun]
        return states


def own_entries(
    document: Document, malformed: Mapping[str, object], inherited: int, fault: AnyFault | None
) -> tuple[Entry, ...]:
    """A document's own list; a malformed one is empty, whatever it holds."""
    if fault is Fault.EMPTY_ACL_IS_PUBLIC and (
        document.document_id in malformed or not (document.entries or inherited)
    ):
        return (*document.entries, Entry("", Effect.ALLOW, SubjectKind.EVERYONE))
    if fault is CoverageFault.FOLDERS_LEFT_OUT and was_left_out(document.folder_id):
        return (*document.entries, Entry("", Effect.ALLOW, SubjectKind.PUBLIC))
    return document.entries


@dataclass(frozen=True, slots=True)
class Placement:
    """In which folder table inherited entries are looked up, and under which folder."""

    table: FolderTable
    of: Callable[[Document], Document]

    def folder(self, document: Document) -> int:
        placed = self.of(document)
        if not placed.inherits or placed.folder_id is None:
            return NO_LIST
        return self.table.index.get(placed.folder_id, NO_LIST)


def build_block(
    documents: Sequence[Document],
    position: Callable[[str], int],
    numbering: Numbering,
    folders: FolderTable,
    placement: Placement,
    malformed: Mapping[str, object],
) -> Block:
    places = [placement.folder(document) for document in documents]
    lists = [
        (
            document.tenant_id,
            own_entries(
                document,
                malformed,
                0 if place == NO_LIST else placement.table.n_entries[place],
                numbering.fault,
            ),
        )
        for document, place in zip(documents, places, strict=True)
    ]
    rows = _Columns(numbering, folders)
    for number, document in enumerate(documents):
        rows.add(number, document, position)
    naming = numbering.naming
    return Block(
        lists=lay_out(lists, naming),
        tenant=_ints(numbering.tenants.of(_tenant(d, numbering)) for d in documents),
        folder=_ints(places),
        owner=_ints(
            -1 if d.owner_id is None else naming.subject(SubjectKind.USER, d.owner_id, "")
            for d in documents
        ),
        title_level=np.array([t[0] for t in rows.titles], dtype=np.int16),
        title_compartments=_ints(t[1] for t in rows.titles),
        version_document=_ints(v[0] for v in rows.versions),
        valid_from=_instants(v[1] for v in rows.versions),
        valid_to=_instants(v[2] for v in rows.versions),
        recorded_from=_instants(v[3] for v in rows.versions),
        recorded_to=_instants(v[4] for v in rows.versions),
        state_version=_ints(s[0] for s in rows.states),
        state_at=_instants(s[1] for s in rows.states),
        state_code=np.array([s[2] for s in rows.states], dtype=np.int8),
        passage_version=_ints(p[0] for p in rows.passages),
        level=np.array([p[1] for p in rows.passages], dtype=np.int16),
        compartments=_ints(p[2] for p in rows.passages),
        positions=_instants(p[3] for p in rows.passages),
    )


class _Columns:
    """Collects the rows of versions, states and passages while documents are walked once."""

    def __init__(self, numbering: Numbering, folders: FolderTable) -> None:
        self._numbering = numbering
        self._folders = folders
        self.titles: list[tuple[int, int]] = []
        self.versions: list[tuple[int, int, int, int, int]] = []
        self.states: list[tuple[int, int, int]] = []
        self.passages: list[tuple[int, int, int, int]] = []

    def add(self, number: int, document: Document, position: Callable[[str], int]) -> None:
        policy, sets = self._numbering.policy, self._numbering.compartments
        label, compartments = document.label, document.compartments
        place = None if document.folder_id is None else self._folders.index.get(document.folder_id)
        if self._numbering.fault is UnseenFaultA.BREAK_DROPS_LABEL and not document.inherits:
            place = None
        if place is not None:
            label = self._folders.labels[place] if label is None else label
            compartments = compartments | self._folders.compartments[place]
        title = (level_of(label, policy), sets.of(compartments))
        self.titles.append(title)
        own, fault = Markings(label, compartments), self._numbering.fault
        for version in self._recorded(document):
            current = len(self.versions)
            begins = FOR_EVER if version.valid_from is None else micros(version.valid_from)
            self.versions.append(
                (
                    number,
                    begins,
                    end_of(version.valid_to),
                    start_of(version.recorded_from),
                    end_of(version.recorded_to),
                )
            )
            self.states.extend(
                (current, micros(at), STATES[state])
                for at, state in version.states
                if self._counts(state)
            )
            for chunk in version.chunks:
                marked = markings(chunk, version, own, fault)
                level = level_of(marked.label, policy)
                united = sets.of(marked.compartments)
                self.passages.append((current, level, united, position(chunk.chunk_id)))

    def _recorded(self, document: Document) -> Iterable[Version]:
        """The versions of a document with their recorded times."""
        if self._numbering.fault is TimeFault.CORRECTION_BACKDATED:
            return [_overwritten(version, document.versions) for version in document.versions]
        return document.versions

    def _counts(self, state: State) -> bool:
        """Whether a state entry is read at all."""
        return not (self._numbering.fault is Fault.TOMBSTONE_IGNORED and state is State.DELETED)


def _overwritten(version: Version, versions: Sequence[Version]) -> Version:
    """A correction stands where what it corrects stood, from when that was recorded."""
    if version.recorded_to in {other.recorded_from for other in versions} - {None}:
        return replace(version, recorded_from=version.recorded_to)
    since = {other.recorded_to: other.recorded_from for other in versions}
    begins = version.recorded_from
    while begins is not None and begins in since and since[begins] != begins:
        begins = since.pop(begins)
    return replace(version, recorded_from=begins)


def _tenant(document: Document, numbering: Numbering) -> str:
    return same_id(document.tenant_id, numbering.fault)


def _ints(values: Iterable[int]) -> NDArray[np.int32]:
    return np.fromiter(values, dtype=np.int32)


def _instants(values: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(values, dtype=np.int64)
