"""What are the columns of a whole world, and what of them survives a change?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import is_not

import numpy as np
from numpy.typing import NDArray

from rageval_kit.access.content import NO_LEVEL, Content, ContentReader, starts
from rageval_kit.access.folders import Folders
from rageval_kit.access.lists import NO_LISTS, ListKey, Lists, key_of
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.world import AccessPolicy, Document, World

UNREACHABLE = np.iinfo(np.int16).max


@dataclass(frozen=True, slots=True)
class Rows:
    """One row per document: what decides about it as a whole. The last folder row is no folder."""

    tenant: NDArray[np.intp]
    own_list: NDArray[np.intp]
    folder: NDArray[np.intp]
    inherits_from: NDArray[np.intp]
    owner: list[str | None]


@dataclass(frozen=True, slots=True)
class Tables:
    """`level` is the label that holds for each chunk, as a level (`UNREACHABLE`: none, denied)."""

    content: Content
    folders: Folders
    lists: Lists
    folder_list: NDArray[np.intp]
    tenants: dict[str, int]
    rows: Rows
    document_of_chunk: NDArray[np.intp]
    version_of_chunk: NDArray[np.intp]
    first_chunk: NDArray[np.intp]
    document_of_version: NDArray[np.intp]
    level: NDArray[np.int16]

    @classmethod
    def of(cls, world: World) -> "Tables":
        faults: list[Fault] = []
        reader = ContentReader(levels_of(world.policy), faults)
        folders = Folders.of(world.folders, reader, faults)
        documents = tuple(world.documents.values())
        content = reader.read(documents)
        lists, folder_list = NO_LISTS.with_lists(folders.keys)
        tenants: dict[str, int] = {}
        rows, lists = _rows(documents, folders, lists, tenants, faults)
        return _complete(world.policy, content, folders, lists, folder_list, tenants, rows, faults)

    def after(self, before: World, world: World) -> "Tables":
        """The tables of `world`, given that these are those of `before`."""
        changed, added = _differences(before.documents, world.documents)
        if world.policy != before.policy or changed is None:
            return Tables.of(world)
        if not changed and not added and world.folders is before.folders:
            return self
        faults: list[Fault] = []
        reader = ContentReader(levels_of(world.policy), faults, self.content.sets)
        folders, lists, folder_list = self.folders, self.lists, self.folder_list
        if world.folders is not before.folders:
            folders = Folders.of(world.folders, reader, faults)
            lists, folder_list = lists.with_lists(folders.keys)
        old_documents = before.documents
        rewritten = {
            position: document
            for position, document in changed.items()
            if not _same_content(old_documents[document.document_id], document)
        }
        content = self.content
        if rewritten or added:
            content = content.spliced(rewritten, added, reader)
        elif reader.sets != content.sets:
            content = content.with_sets(reader.sets)
        tenants = dict(self.tenants)
        if not _same_rows(self.folders, folders):
            rows, lists = _rows(tuple(world.documents.values()), folders, lists, tenants, faults)
        elif changed or added:
            rows, lists = self._rows_after(changed, added, folders, lists, tenants, faults)
        else:
            rows = self.rows
        return _complete(world.policy, content, folders, lists, folder_list, tenants, rows, faults)

    def _rows_after(
        self,
        changed: Mapping[int, Document],
        added: Sequence[Document],
        folders: Folders,
        lists: Lists,
        tenants: dict[str, int],
        faults: list[Fault],
    ) -> tuple[Rows, Lists]:
        new, lists = _rows((*changed.values(), *added), folders, lists, tenants, faults)
        at = np.fromiter(changed, np.intp, len(changed))
        owner = list(self.rows.owner)
        for position, owner_id in zip(changed, new.owner, strict=False):
            owner[position] = owner_id
        owner.extend(new.owner[len(changed) :])
        rows = Rows(
            _patched(self.rows.tenant, at, new.tenant),
            _patched(self.rows.own_list, at, new.own_list),
            _patched(self.rows.folder, at, new.folder),
            _patched(self.rows.inherits_from, at, new.inherits_from),
            owner,
        )
        return rows, lists


def levels_of(policy: AccessPolicy) -> dict[str, int]:
    return {label: level for level, label in enumerate(policy.labels)}


def _rows(
    documents: Sequence[Document],
    folders: Folders,
    lists: Lists,
    tenants: dict[str, int],
    faults: list[Fault],
) -> tuple[Rows, Lists]:
    keys: list[ListKey] = []
    in_folder: list[int] = []
    inherits_from: list[int] = []
    tenant: list[int] = []
    for document in documents:
        where = f"document {document.document_id}"
        keys.append(key_of(document.entries, document.tenant_id, where, faults))
        tenant.append(tenants.setdefault(document.tenant_id, len(tenants)))
        in_folder.append(_folder_row(document, folders, where, faults))
        inherits_from.append(in_folder[-1] if document.inherits else -1)
    lists, own_list = lists.with_lists(keys)
    rows = Rows(
        np.array(tenant, np.intp),
        own_list,
        np.array(in_folder, np.intp),
        np.array(inherits_from, np.intp),
        [document.owner_id for document in documents],
    )
    return rows, lists


def _folder_row(document: Document, folders: Folders, where: str, faults: list[Fault]) -> int:
    """-1, the last row, where the document stands in no folder."""
    if document.folder_id is None:
        return -1
    row = folders.position.get(document.folder_id)
    if row is None:
        faults.append(Fault(where, "there is no such folder", document.folder_id, "add it"))
        return -1
    if folders.tenants[row] != document.tenant_id:
        faults.append(
            Fault(
                where,
                "its folder is another tenant's",
                f"folder {document.folder_id} of {folders.tenants[row]!r}, "
                f"the document is of {document.tenant_id!r}",
                "keep a document in folders of its own tenant",
            )
        )
    return row


def _complete(
    policy: AccessPolicy,
    content: Content,
    folders: Folders,
    lists: Lists,
    folder_list: NDArray[np.intp],
    tenants: dict[str, int],
    rows: Rows,
    faults: list[Fault],
) -> Tables:
    if faults:
        raise InputError(faults)
    version_of_chunk = np.repeat(np.arange(len(content.n_chunks)), content.n_chunks)
    document_of_version = np.repeat(np.arange(len(content.n_versions)), content.n_versions)
    document_of_chunk = document_of_version[version_of_chunk]
    level = np.where(
        content.level == NO_LEVEL, folders.level[rows.folder][document_of_chunk], content.level
    )
    level[level == NO_LEVEL] = UNREACHABLE if policy.unlabelled_denied else 0
    for shared in (version_of_chunk, document_of_chunk):
        shared.setflags(write=False)
    return Tables(
        content,
        folders,
        lists,
        folder_list,
        tenants,
        rows,
        document_of_chunk,
        version_of_chunk,
        starts(content.n_chunks),
        document_of_version,
        level,
    )


def _differences(
    old: Mapping[str, Document], new: Mapping[str, Document]
) -> tuple[dict[int, Document] | None, tuple[Document, ...]]:
    """What was replaced, by position, and what was added behind; None if the order changed."""
    if new is old:
        return {}, ()
    old_ids, new_ids = list(old), list(new)
    n_old = len(old_ids)
    if new_ids[:n_old] != old_ids:
        return None, ()
    documents = list(new.values())
    is_replaced = map(is_not, old.values(), documents)
    changed = {position: documents[position] for position in compress(range(n_old), is_replaced)}
    return changed, tuple(documents[n_old:])


def _same_content(old: Document, new: Document) -> bool:
    return (
        old.versions is new.versions
        and old.label == new.label
        and old.compartments == new.compartments
    )


def _same_rows(old: Folders, new: Folders) -> bool:
    """Whether every document's row still points at the same folder of the same tenant."""
    if new is old:
        return True
    n_old = len(old.position)
    return list(new.position)[:n_old] == list(old.position) and new.tenants[:n_old] == old.tenants


def _patched(
    old: NDArray[np.intp], at: NDArray[np.intp], new: NDArray[np.intp]
) -> NDArray[np.intp]:
    patched = np.append(old, new[len(at) :])
    patched[at] = new[: len(at)]
    return patched
