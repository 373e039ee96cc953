"""What does one decision look at: the records it concerns, and the plain facts read off them?"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from rageval_kit.access.directory import Directory
from rageval_kit.access.times import Times
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import (
    AccessPolicy,
    Chunk,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    ShareLink,
    State,
    SubjectKind,
    Version,
    World,
)


@dataclass(frozen=True, slots=True)
class Question:
    """Everything one decision looks at. `chunk` None is the title.

    `folders` are all ancestors, nearest first; `inherited` are the entries of those that no break
    of inheritance cuts off. `principal` of an unknown id is one that has nothing.
    """

    world: World
    directory: Directory
    principal: Principal
    document: Document
    version: Version
    chunk: Chunk | None
    times: Times
    folders: tuple[Folder, ...]
    inherited: tuple[Entry, ...]


def allows(q: Question) -> list[Entry]:
    return [e for e in (*q.document.entries, *q.inherited) if e.effect is Effect.ALLOW]


def denies(entries: Iterable[Entry]) -> list[Entry]:
    return [e for e in entries if e.effect is Effect.DENY]


def names(q: Question, entry: Entry) -> bool:
    """Whether the entry names the principal, time ignored (`public` counts only while live)."""
    match entry.subject_kind:
        case SubjectKind.USER:
            return entry.subject_id == q.principal.principal_id
        case SubjectKind.UNIT:
            return entry.subject_id in units_of(q, at=None)
        case SubjectKind.EVERYONE:
            return at_home(q) or bool(guest_records(q))
        case SubjectKind.PUBLIC:
            return is_public_now(q, entry)
        case SubjectKind.LINK:
            return True


def applies_now(q: Question, entry: Entry) -> bool:
    """Whether a live entry names the principal through memberships that are all live at `now`."""
    if not is_live(entry, q.times.now):
        return False
    match entry.subject_kind:
        case SubjectKind.UNIT:
            return entry.subject_id in units_of(q, at=q.times.now)
        case SubjectKind.EVERYONE:
            return at_home(q) or guest_now(q)
        case _:
            return names(q, entry)


def is_live(record: Entry | Membership | Guest | ShareLink, now: datetime) -> bool:
    return record.window.contains(now) and (record.revoked_at is None or now < record.revoked_at)


def is_public_now(q: Question, entry: Entry) -> bool:
    return entry.subject_kind is SubjectKind.PUBLIC and is_live(entry, q.times.now)


def at_home(q: Question) -> bool:
    if q.principal.kind is PrincipalKind.ANONYMOUS:
        return False
    return q.principal.tenant_id == q.document.tenant_id


def guest_records(q: Question) -> list[Guest]:
    records = q.directory.guests.get(q.principal.principal_id, ())
    return [guest for guest in records if guest.tenant_id == q.document.tenant_id]


def guest_now(q: Question) -> bool:
    return any(is_live(guest, q.times.now) for guest in guest_records(q))


def units_of(q: Question, *, at: datetime | None) -> set[str]:
    """Every unit the principal is in, at any depth; with `at`, through edges all live then."""
    found: set[str] = set()
    edges = list(q.directory.of_principal.get(q.principal.principal_id, ()))
    while edges:
        edge = edges.pop()
        if edge.unit_id not in found and (at is None or is_live(edge, at)):
            found.add(edge.unit_id)
            edges.extend(q.directory.of_unit.get(edge.unit_id, ()))
    return found


def holds_link(q: Question, entry: Entry) -> bool:
    link = q.world.links.get(entry.subject_id)
    return (
        link is not None
        and is_live(link, q.times.now)
        and any(who == q.principal.principal_id and at <= q.times.now for who, at in link.opened)
    )


def state_now(q: Question) -> State:
    reached = [state for at, state in q.version.states if at <= q.times.now]
    return reached[-1] if reached else State.DRAFT


def is_own_draft(q: Question) -> bool:
    return state_now(q) is State.DRAFT and q.document.owner_id == q.principal.principal_id


def clearance_of(q: Question) -> int:
    """As a level; below the lowest where the clearance is missing and the policy denies that."""
    if q.principal.kind is PrincipalKind.ANONYMOUS:
        return 0
    if q.principal.clearance is None and q.world.policy.unlabelled_denied:
        return -1
    return level_of(q.principal.clearance, q.world.policy)


def level_of(label: str | None, policy: AccessPolicy) -> int:
    if label is None:
        return 0
    if label not in policy.labels:
        raise InputError.one(
            "labels",
            "a label or clearance is not among the policy's",
            repr(label),
            f"use one of {', '.join(policy.labels) or '(none declared)'} or declare it",
        )
    return policy.labels.index(label)


def refuse_links_in_denies(entries: Iterable[Entry]) -> None:
    for entry in denies(entries):
        if entry.subject_kind is SubjectKind.LINK:
            raise InputError.one(
                f"entry {entry.entry_id}",
                "a deny entry names a link",
                entry.subject_id,
                "revoke the link, or deny the people it must not serve",
            )
