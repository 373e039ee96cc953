"""Which of a document's rights does the index read: those it has now, or those it came in with?"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rageval_kit.records.world import Document, State, Version
from rageval_kit.system.block import Numbering
from rageval_kit.system.changes import Shelf
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.instants import start_of
from rageval_kit.system.lists import FolderTable


def as_indexed(shelf: Shelf, folders: FolderTable, numbering: Numbering) -> Iterator[Document]:
    """The documents changed since the connection: as they are now."""
    for document in shelf.changed.values():
        first = shelf.base.get(document.document_id)
        if numbering.fault is UnseenFaultB.LATER_PASSAGES_UNLABELLED:
            document = _unlabelled(document, first)  # noqa: PLW2901 - what the late path reads
        yield document if first is None else _kept(document, first, folders, numbering)


def _kept(
    document: Document, first: Document, folders: FolderTable, numbering: Numbering
) -> Document:
    match numbering.fault:
        case EventFault.LABELS_FROZEN:
            return replace(document, label=first.label, compartments=first.compartments)
        case EventFault.MOVED_KEEPS_LABEL if document.label is None and first.folder_id:
            handed_down = folders.labels[folders.index[first.folder_id]]
            lowest = next(iter(numbering.policy.labels), None)
            return replace(document, label=lowest if handed_down is None else handed_down)
        case EventFault.ENTRIES_COPIED_AT_INGEST:
            return replace(document, entries=first.entries)
        case EventFault.OLD_VERSIONS_NOT_ERASED:
            newest = max(document.versions, key=lambda version: start_of(version.valid_from))
            others = (version for version in document.versions if version is not newest)
            return replace(document, versions=(*_without(others, State.DELETED), newest))
        case EventFault.QUARANTINE_AT_INGEST_ONLY:
            return replace(document, versions=tuple(_without(document.versions, State.QUARANTINED)))
    return document


def _unlabelled(document: Document, first: Document | None) -> Document:
    """The document, of whose later versions no passage has a label of its own."""
    known = {version.version_id for version in first.versions} if first else set()
    versions = (
        version
        if version.version_id in known
        else replace(version, chunks=tuple(replace(c, label=None) for c in version.chunks))
        for version in document.versions
    )
    return replace(document, versions=tuple(versions))


def _without(versions: Iterable[Version], state: State) -> Iterator[Version]:
    for version in versions:
        yield replace(version, states=tuple(one for one in version.states if one[1] is not state))
