"""For which conditions of the access rule does a world have attributes at all?"""

from collections.abc import Iterable, Iterator
from itertools import chain

from rageval_kit.records.world import (
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    State,
    SubjectKind,
    Version,
    World,
)


def attributes_of(world: World) -> frozenset[str]:
    documents = world.documents.values()
    folders = world.folders.values()
    versions = [version for document in documents for version in document.versions]
    own = [entry for document in documents for entry in document.entries]
    inherited = [entry for folder in folders for entry in folder.entries]
    allows = [entry for entry in chain(own, inherited) if entry.effect is Effect.ALLOW]
    denies = [entry for entry in own if entry.effect is Effect.DENY]
    present = {
        "C1": bool(world.principals),
        "C2": len(world.tenants) > 1 or bool(world.guests),
        "C3": any(thing.label is not None for thing in _marked(world)),
        "C4": any(thing.compartments for thing in _marked(world)),
        "C5": any(_is_ever_unpublished(version, world) for version in versions),
        "C6": any(_is_sometimes_out_of_force(document, world) for document in documents),
        "C7": any(
            version.recorded_from is not None or version.recorded_to is not None
            for version in versions
        ),
        "C8": any(entry.subject_kind is SubjectKind.USER for entry in denies),
        "C9": any(entry.subject_kind is not SubjectKind.USER for entry in denies),
        "C10": any(entry.effect is Effect.DENY for entry in inherited),
        "C11": True,
        "C12": _any_bounded(allows),
        "C13": _any_bounded(chain(world.memberships.values(), world.guests.values())),
        "C14": any(entry.subject_kind is SubjectKind.LINK for entry in allows),
    }
    return frozenset(condition for condition, is_present in present.items() if is_present)


def _marked(world: World) -> Iterator[Document | Folder | Chunk]:
    yield from world.folders.values()
    for document in world.documents.values():
        yield document
        for version in document.versions:
            yield from version.chunks


def _is_ever_unpublished(version: Version, world: World) -> bool:
    states = version.states
    return (
        not states
        or states[0][0] > world.clock
        or any(state is not State.PUBLISHED for _, state in states)
    )


def _is_sometimes_out_of_force(document: Document, world: World) -> bool:
    return len(document.versions) > 1 or any(
        version.valid_from is None
        or version.valid_to is not None
        or version.valid_from > world.clock
        for version in document.versions
    )


def _any_bounded(records: Iterable[Entry | Membership | Guest]) -> bool:
    return any(
        record.revoked_at is not None
        or record.window.start is not None
        or record.window.end is not None
        for record in records
    )
