"""What of an older version gives way when a newer one is published?"""

from collections.abc import Iterator
from dataclasses import replace

from rageval_kit.records.changes import Change, PublishVersion
from rageval_kit.records.world import Version
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
    if fault is not IndexFault.OLD_TAIL_KEPT or not isinstance(change, PublishVersion):
        return after
    old, new = before.document(change.document_id), after.document(change.document_id)
    if old is None or new is None:
        return after
    was = {version.version_id: version for version in old.versions}
    n = len(change.version.chunks)
    versions = (part for now in new.versions for part in _parts(was.get(now.version_id), now, n))
    return after.with_document(replace(new, versions=tuple(versions)))


def _parts(was: Version | None, now: Version, n: int) -> Iterator[Version]:
    """The version as it is now; of one that has ended, its first `n` passages alone."""
    if was is None or was.valid_to == now.valid_to:
        yield now
        return
    yield replace(now, chunks=now.chunks[:n])
    yield replace(was, chunks=was.chunks[n:])
