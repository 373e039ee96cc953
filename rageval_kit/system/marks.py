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
    PrincipalKind,
    PrincipalStatus,
    SubjectKind,
    World,
)
from rageval_kit.system.belonging import Reader, is_live, links_of, tenants_open_to, units_of
from rageval_kit.system.block import clearance_of, level_of
from rageval_kit.system.instants import micros, state_of
from rageval_kit.system.lists import chain, handed_down
from rageval_kit.system.names import exact_id
from rageval_kit.system.people import People, status_at

# Whole numbers below 2**53 are exact as floats, which takes in all instants from 1684 to 2255.
_EVER, _NEVER = -(10**18), 10**18
PUBLIC = "public"


def marks_of(world: World, documents: Iterable[Document]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of every chunk of these documents: its id, and its payload as of the world's clock."""
    for document in documents:
        folder = world.folders.get(document.folder_id or "")
        above = [] if folder is None else chain(folder, world.folders)
        inherited = handed_down(folder, world.folders) if folder and document.inherits else []
        entries = [
            one
            for one in (*document.entries, *inherited)
            if is_live(one.window, one.revoked_at, world.clock)
        ]
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
                    "level": level_of(label if chunk.label is None else chunk.label, world.policy),
                    "compartments": sorted(compartments | chunk.compartments),
                }
                yield chunk.chunk_id, {**shared, **held, **own}


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
    tenants = tenants_open_to(people, person, Reader(own), now, None)
    links = links_of(people, own, now, None)
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
        0 if anonymous else clearance_of(person.clearance, world.policy),
        () if anonymous else tuple(sorted(person.compartments)),
    )


def touched(before: World, after: World) -> set[str]:
    """Ids of the documents whose marks may be others in the later world, or that went or came."""
    old, new = before.documents, after.documents
    if (before.clock, before.policy) != (after.clock, after.policy):
        return {*old, *new}
    if before.folders is not after.folders and before.folders != after.folders:
        return {*old, *new}
    return {one for one in old.keys() | new.keys() if old.get(one) is not new.get(one)}
