"""How are access lists laid out so that one reader is matched against all of them at once?"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.world import Effect, Entry, Folder, SubjectKind
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.instants import end_of, start_of
from rageval_kit.system.names import Numbers, same_id

Subject = tuple[SubjectKind, str]
KINDS = tuple(SubjectKind)
KIND_CODES: Mapping[SubjectKind, int] = {kind: code for code, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Rows:
    """Entries as parallel columns; `owner` numbers the document or folder list they stand in."""

    n_owners: int
    owner: NDArray[np.int32]
    subject: NDArray[np.int32]
    kind: NDArray[np.int8]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    def live(self, now: int) -> NDArray[np.bool_]:
        return (self.start <= now) & (now < self.end)

    def owners(self, matching: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which lists have a matching entry; one slot more, always false, for 'no list'."""
        found = np.zeros(self.n_owners + 1, dtype=np.bool_)
        found[self.owner[matching]] = True
        return found


@dataclass(frozen=True, slots=True)
class Lists:
    allow: Rows
    deny: Rows


@dataclass(frozen=True, slots=True)
class Naming:
    """How subjects are numbered and compared; `fault` may misread lists."""

    subjects: Numbers[Subject]
    fault: AnyFault | None

    def subject(self, kind: SubjectKind, subject_id: str, tenant_id: str) -> int:
        return self.subjects.of(self._key(kind, subject_id, tenant_id))

    def known(self, kind: SubjectKind, subject_id: str, tenant_id: str = "") -> int | None:
        return self.subjects.known(self._key(kind, subject_id, tenant_id))

    def _key(self, kind: SubjectKind, subject_id: str, tenant_id: str) -> Subject:
        if kind is SubjectKind.EVERYONE:
            # `everyone` speaks of the tenant of the object it hangs on
            return (kind, same_id(tenant_id, self.fault))
        if kind is SubjectKind.PUBLIC:
            return (kind, "")
        if kind is SubjectKind.USER:
            return (kind, same_id(subject_id, self.fault))
        return (kind, subject_id)


def lay_out(lists: Iterable[tuple[str, Iterable[Entry]]], naming: Naming) -> Lists:
    """Lists in their order, each with the tenant of its object."""
    columns: dict[Effect, list[tuple[int, int, int, int, int]]] = {
        Effect.ALLOW: [],
        Effect.DENY: [],
    }
    n_owners = 0
    for owner, (tenant_id, entries) in enumerate(lists):
        n_owners = owner + 1
        for entry in entries:
            if entry.effect is Effect.DENY and _is_skipped(entry, naming.fault):
                continue
            columns[entry.effect].append(
                (
                    owner,
                    naming.subject(entry.subject_kind, entry.subject_id, tenant_id),
                    KIND_CODES[entry.subject_kind],
                    start_of(entry.window.start),
                    _end(entry, naming.fault),
                )
            )
    return Lists(_rows(n_owners, columns[Effect.ALLOW]), _rows(n_owners, columns[Effect.DENY]))


def _is_skipped(deny: Entry, fault: AnyFault | None) -> bool:
    """Whether a deny is not read: one that names a link, for whom would it deny?"""
    if fault is UnseenFaultA.TEMPORARY_DENY_SKIPPED and deny.window.end is not None:
        return True
    return deny.subject_kind is SubjectKind.LINK


def _end(entry: Entry, fault: AnyFault | None) -> int:
    if fault is Fault.REVOCATION_IGNORED:
        return end_of(entry.window.end)
    return end_of(entry.window.end, entry.revoked_at)


def _rows(n_owners: int, rows: list[tuple[int, int, int, int, int]]) -> Rows:
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 5)
    return Rows(
        n_owners,
        table[:, 0].astype(np.int32),
        table[:, 1].astype(np.int32),
        table[:, 2].astype(np.int8),
        table[:, 3].copy(),
        table[:, 4].copy(),
    )


@dataclass(frozen=True, slots=True)
class FolderTable:
    """What each folder hands down: entries up to a break of inheritance, label, compartments.

    Labels and compartments are handed down across breaks; entries are not.
    """

    index: Mapping[str, int]
    lists: Lists
    labels: tuple[str | None, ...]
    compartments: tuple[frozenset[str], ...]
    n_entries: tuple[int, ...]

    @classmethod
    def of(cls, folders: Mapping[str, Folder], naming: Naming) -> "FolderTable":
        handed = [handed_down(folder, folders) for folder in folders.values()]
        chains = [chain(folder, folders) for folder in folders.values()]
        return cls(
            index={folder_id: number for number, folder_id in enumerate(folders)},
            lists=lay_out(
                zip((f.tenant_id for f in folders.values()), handed, strict=True), naming
            ),
            labels=tuple(
                next((f.label for f in above if f.label is not None), None) for above in chains
            ),
            compartments=tuple(
                frozenset().union(*(f.compartments for f in above)) for above in chains
            ),
            n_entries=tuple(map(len, handed)),
        )


def chain(folder: Folder, folders: Mapping[str, Folder]) -> list[Folder]:
    """The folder and its ancestors, nearest first; a cycle is cut where it closes."""
    met: list[Folder] = []
    seen: set[str] = set()
    current: Folder | None = folder
    while current is not None and current.folder_id not in seen:
        seen.add(current.folder_id)
        met.append(current)
        current = None if current.parent_id is None else folders.get(current.parent_id)
    return met


def handed_down(folder: Folder, folders: Mapping[str, Folder]) -> list[Entry]:
    """The entries of a folder and of those above it, up to a break of inheritance."""
    entries: list[Entry] = []
    for ancestor in chain(folder, folders):
        entries.extend(ancestor.entries)
        if not ancestor.inherits:
            break
    return entries
