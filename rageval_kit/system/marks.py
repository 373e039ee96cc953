"""What does a connector write beside each passage, and with what in hand does a reader come?

For engines that filter by payload and know no rule: whom an entry serves, and in which state a
version is, is worked out for one instant and stored; it has to be written anew when time or rights
move on. What holds when stays a pair of numbers, and so can be asked for any time.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rageval_kit.records.world import (
    Document,
    Effect,
    Entry,
    Folder,
    PrincipalKind,
    PrincipalStatus,
    SubjectKind,
    World,
)
from rageval_kit.system.belonging import link_works, units_of
from rageval_kit.system.instants import micros, state_of
from rageval_kit.system.names import exact_id
from rageval_kit.system.people import People, status_at

# Whole numbers below 2**53 are exact as floats, which takes in all instants from 1684 to 2255.
_EVER, _NEVER = -(10**18), 10**18
NOBODY = 10**6  # a level that no clearance reaches
PUBLIC = "public"


def marks_of(world: World, documents: Iterable[Document]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of every chunk of these documents: its id, and its payload as of the world's clock."""
    for document in documents:
        above = list(_above(document, world))
        handed_down = list(_handed_down(document, above))
        listed = [document.entries, *(folder.entries for folder in handed_down)]
        entries = [one for entries in listed for one in entries if _is_live(one, world.clock)]
        shared = {
            "document": document.document_id,
            "tenant": document.tenant_id,
            "owner": document.owner_id or "",
            "allow": _subjects(entries, Effect.ALLOW, document.tenant_id),
            "deny": _subjects(entries, Effect.DENY, document.tenant_id),
        }
        label = next(
            (one for one in (document.label, *(f.label for f in above)) if one is not None), None
        )
        compartments = document.compartments.union(*(folder.compartments for folder in above))
        for version in document.versions:
            held = {
                "version": version.version_id,
                "state": str(state_of(version, world.clock)),
                "valid_from": _NEVER if version.valid_from is None else micros(version.valid_from),
                "valid_to": _end(version.valid_to),
                "recorded_from": _start(version.recorded_from),
                "recorded_to": _end(version.recorded_to),
            }
            for chunk in version.chunks:
                own = {
                    "level": _level(label if chunk.label is None else chunk.label, world),
                    "compartments": sorted(compartments | chunk.compartments),
                }
                yield chunk.chunk_id, {**shared, **held, **own}


def _above(document: Document, world: World) -> Iterator[Folder]:
    """The document's folder, and all that are above it."""
    folder_id, seen = document.folder_id, set[str]()
    while folder_id is not None and folder_id in world.folders and folder_id not in seen:
        seen.add(folder_id)
        yield world.folders[folder_id]
        folder_id = world.folders[folder_id].parent_id


def _handed_down(document: Document, above: list[Folder]) -> Iterator[Folder]:
    """Those whose entries hold for the document: up to the first break."""
    if document.inherits:
        for folder in above:
            yield folder
            if not folder.inherits:
                return


def _is_live(entry: Entry, now: datetime) -> bool:
    return entry.window.contains(now) and (entry.revoked_at is None or now < entry.revoked_at)


def _subjects(entries: list[Entry], effect: Effect, tenant_id: str) -> list[str]:
    return sorted(
        {
            subject(
                one.subject_kind, tenant_id if one.subject_kind == "everyone" else one.subject_id
            )
            for one in entries
            if one.effect is effect
        }
    )


def subject(kind: SubjectKind, subject_id: str) -> str:
    return PUBLIC if kind is SubjectKind.PUBLIC else f"{kind.value}:{subject_id}"


def _level(label: str | None, world: World) -> int:
    if label is None:
        return NOBODY if world.policy.unlabelled_denied else 0
    return world.policy.labels.index(label) if label in world.policy.labels else NOBODY


def _start(instant: datetime | None) -> int:
    return _EVER if instant is None else micros(instant)


def _end(instant: datetime | None) -> int:
    return _NEVER if instant is None else micros(instant)


@dataclass(frozen=True, slots=True)
class Bearer:
    """What an active reader holds; `links` serve an allow entry, never a deny."""

    principal_id: str
    subjects: tuple[str, ...]
    links: tuple[str, ...]
    tenants: tuple[str, ...]
    clearance: int
    compartments: tuple[str, ...]


def bearer_of(people: People, principal_id: str, world: World) -> Bearer | None:
    """None: whoever is not there, or not active."""
    now = world.clock
    person = people.principals.get(exact_id(principal_id))
    if person is None or status_at(person, now) is not PrincipalStatus.ACTIVE:
        return None
    own = person.principal_id
    anonymous = person.kind is PrincipalKind.ANONYMOUS
    tenants = {
        guest.tenant_id
        for guest in people.guests.get(own, ())
        if guest.window.contains(now) and (guest.revoked_at is None or now < guest.revoked_at)
    }
    if person.tenant_id is not None and not anonymous:
        tenants.add(person.tenant_id)
    links = {
        link_id
        for link_id, at in people.opened.get(own, ())
        if at <= now and link_works(people, link_id, now, None)
    }
    held = [
        subject(SubjectKind.USER, own),
        PUBLIC,
        *(subject(SubjectKind.UNIT, one) for one in units_of(people, own, now, None)),
        *(subject(SubjectKind.EVERYONE, one) for one in tenants),
    ]
    return Bearer(
        own,
        tuple(sorted(held)),
        tuple(sorted(subject(SubjectKind.LINK, one) for one in links)),
        tuple(sorted(tenants)),
        _clearance(person.clearance, world.policy.labels, world, anonymous=anonymous),
        () if anonymous else tuple(sorted(person.compartments)),
    )


def _clearance(
    clearance: str | None, labels: tuple[str, ...], world: World, *, anonymous: bool
) -> int:
    if anonymous:
        return 0
    if clearance is None:
        return -1 if world.policy.unlabelled_denied else 0
    return labels.index(clearance) if clearance in labels else -1


def touched(before: World, after: World) -> set[str]:
    """Ids of the documents whose marks may be others in the later world, or that went or came."""
    old, new = before.documents, after.documents
    if (before.clock, before.policy) != (after.clock, after.policy):
        return {*old, *new}
    if before.folders is not after.folders and before.folders != after.folders:
        return {*old, *new}
    return {one for one in old.keys() | new.keys() if old.get(one) is not new.get(one)}
