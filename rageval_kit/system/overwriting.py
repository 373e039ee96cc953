"""What of an older version gives way when a newer one is published?"""

from collections.abc import Iterator
from dataclasses import replace

from rageval_kit.records.changes import Change, Grant, PublishVersion
from rageval_kit.records.world import Entry, Version
from rageval_kit.system.changes import Shelf
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_index import IndexFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB


def overwritten(before: Shelf, after: Shelf, change: Change, fault: AnyFault | None) -> Shelf:
    """The shelf after the change: all of what a new version ends.

    Under the fault the new passages take the places of as many old ones, and the rest holds on.
    """
    if fault is UnseenFaultB.NEW_EDITION_INHERITS and isinstance(change, PublishVersion):
        found = after.document(change.document_id)
        return after if found is None else after.with_document(replace(found, inherits=True))
    if fault is UnseenFaultB.GRANT_REPLACES_DENY and isinstance(change, Grant):
        return _one_entry_each(after, change)
    if fault is not IndexFault.OLD_TAIL_KEPT or not isinstance(change, PublishVersion):
        return after
    old, new = before.document(change.document_id), after.document(change.document_id)
    if old is None or new is None:
        return after
    was = {version.version_id: version for version in old.versions}
    n = len(change.version.chunks)
    versions = (part for now in new.versions for part in _parts(was.get(now.version_id), now, n))
    return after.with_document(replace(new, versions=tuple(versions)))


def _one_entry_each(shelf: Shelf, change: Grant) -> Shelf:
    """The shelf with the list changed in which what was granted stands for its subject alone."""

    def alone(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        new = change.entry
        about = (new.subject_kind, new.subject_id)
        return (*(e for e in entries if (e.subject_kind, e.subject_id) != about), new)

    if change.on_folder:
        folder = shelf.folders[change.object_id]
        return shelf.with_folder(replace(folder, entries=alone(folder.entries)))
    document = shelf.document(change.object_id)
    if document is None:
        return shelf
    return shelf.with_document(replace(document, entries=alone(document.entries)))


def _parts(was: Version | None, now: Version, n: int) -> Iterator[Version]:
    """The version as it is now; of one that has ended, its first `n` passages alone."""
    if was is None or was.valid_to == now.valid_to:
        yield now
        return
    yield replace(now, chunks=now.chunks[:n])
    yield replace(was, chunks=was.chunks[n:])
