"""Which rows of which tables say what a world says of documents, people and rights?

Each object of the world (a document, a folder, a principal, …) owns its rows in some tables, so
that a change is told by taking that object's rows out and putting its new ones in.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rageval_kit.records.world import (
    AccessPolicy,
    Document,
    Effect,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalKind,
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Version,
    World,
)

if TYPE_CHECKING:
    from psycopg.types.multirange import TimestamptzMultirange
    from psycopg.types.range import TimestamptzRange

Row = tuple[Any, ...]
Rows = Iterator[tuple[str, Row]]
_ABOVE_ALL = 32767  # the rank of a label that the policy does not list: nobody is cleared for it


@dataclass(frozen=True, slots=True)
class Owned:
    """`tables`: where an object's rows stand, and by which condition on its id they are found."""

    rows: Callable[[Any, AccessPolicy], Rows]
    tables: tuple[tuple[str, str], ...]


def span(
    start: datetime | None, end: datetime | None, revoked_at: datetime | None = None
) -> "TimestamptzRange":
    """`[start, end)`, cut off where it was revoked; what ends before it starts is empty."""
    from psycopg.types.range import TimestamptzRange

    ends = [one for one in (end, revoked_at) if one is not None]
    until = min(ends, default=None)
    if start is not None and until is not None and until <= start:
        return TimestamptzRange(empty=True)
    return TimestamptzRange(start, until, "[)")


def spans(
    history: tuple[tuple[datetime, Any], ...], word: object, before: object
) -> "TimestamptzMultirange":
    """When a history stood at `word`; `before` its first entry it stood at that."""
    from psycopg.types.multirange import TimestamptzMultirange

    starts: list[tuple[datetime | None, Any]] = [(None, before), *history]
    ends = [at for at, _ in history]
    found = [
        span(start, end)
        for (start, said), end in zip(starts, [*ends, None], strict=True)
        if said == word
    ]
    return TimestamptzMultirange([one for one in found if not one.isempty])


def _rank(label: str | None, policy: AccessPolicy) -> int | None:
    if label is None:
        return None
    return policy.labels.index(label) if label in policy.labels else _ABOVE_ALL


def _principal(one: Principal, policy: AccessPolicy) -> Rows:
    anonymous = one.kind is PrincipalKind.ANONYMOUS
    missing = None if policy.unlabelled_denied else 0
    # An unknown clearance clears for nothing, an unknown label for nobody.
    known = one.clearance if one.clearance in policy.labels else None
    clearance = 0 if anonymous else missing if one.clearance is None else _rank(known, policy)
    before = None if one.statuses else PrincipalStatus.ACTIVE
    yield (
        "principals",
        (
            one.principal_id,
            one.tenant_id,
            anonymous,
            clearance,
            [] if anonymous else sorted(one.compartments),
            spans(one.statuses, PrincipalStatus.ACTIVE, before),
        ),
    )


def _membership(one: Membership, policy: AccessPolicy) -> Rows:
    del policy
    live = span(one.window.start, one.window.end, one.revoked_at)
    row = (one.membership_id, one.unit_id, one.member_id, one.member_is_unit, live)
    yield "memberships", row


def _guest(one: Guest, policy: AccessPolicy) -> Rows:
    del policy
    live = span(one.window.start, one.window.end, one.revoked_at)
    yield "guests", (one.guest_id, one.principal_id, one.tenant_id, live)


def _link(one: ShareLink, policy: AccessPolicy) -> Rows:
    del policy
    yield "links", (one.link_id, span(one.window.start, one.window.end, one.revoked_at))
    for principal_id, at in one.opened:
        yield "openings", (one.link_id, principal_id, at)


def _entries(entries: Iterable[Entry], object_id: str, tenant_id: str, *, on_folder: bool) -> Rows:
    for entry in entries:
        subject = entry.subject_id
        if entry.subject_kind is SubjectKind.EVERYONE:
            subject = tenant_id
        elif entry.subject_kind is SubjectKind.PUBLIC:
            subject = ""
        live = span(entry.window.start, entry.window.end, entry.revoked_at)
        denies = entry.effect is Effect.DENY
        row = (object_id, on_folder, denies, entry.subject_kind.value, subject, live)
        yield "entries", row


def _folder(one: Folder, policy: AccessPolicy) -> Rows:
    label = _rank(one.label, policy)
    yield "folders", (one.folder_id, one.parent_id, label, sorted(one.compartments), one.inherits)
    yield from _entries(one.entries, one.folder_id, one.tenant_id, on_folder=True)


def _document(one: Document, policy: AccessPolicy) -> Rows:
    label = _rank(one.label, policy)
    compartments = sorted(one.compartments)
    yield (
        "documents",
        (
            one.document_id,
            one.tenant_id,
            one.folder_id,
            label,
            compartments,
            one.inherits,
            one.owner_id,
        ),
    )
    yield from _entries(one.entries, one.document_id, one.tenant_id, on_folder=False)
    for version in one.versions:
        yield "versions", _version(version, one.document_id)
        for chunk in version.chunks:
            place = (chunk.chunk_id, version.version_id, one.document_id)
            rights = (_rank(chunk.label, policy), sorted(chunk.compartments))
            yield "passages", (*place, *rights)


def _version(one: Version, document_id: str) -> Row:
    valid = span(one.valid_from, one.valid_to)
    if one.valid_from is None:  # undefined: valid at no time
        valid = type(valid)(empty=True)
    states = (State.PUBLISHED, State.WITHDRAWN, State.DRAFT)
    return (
        one.version_id,
        document_id,
        valid,
        span(one.recorded_from, one.recorded_to),
        *(spans(one.states, state, State.DRAFT) for state in states),
    )


# By the field of the world that holds the objects.
OWNED: Mapping[str, Owned] = {
    "principals": Owned(_principal, (("principals", "principal_id = %s"),)),
    "memberships": Owned(_membership, (("memberships", "membership_id = %s"),)),
    "guests": Owned(_guest, (("guests", "guest_id = %s"),)),
    "links": Owned(_link, (("links", "link_id = %s"), ("openings", "link_id = %s"))),
    "folders": Owned(
        _folder,
        (("folders", "folder_id = %s"), ("entries", "on_folder AND object_id = %s")),
    ),
    "documents": Owned(
        _document,
        (
            ("documents", "document_id = %s"),
            ("entries", "NOT on_folder AND object_id = %s"),
            ("versions", "document_id = %s"),
            ("passages", "document_id = %s"),
        ),
    ),
}


def rows_of(world: World) -> Rows:
    """Every row of a world but those of `chunks`, which hold what is searched."""
    yield "policy", (world.policy.unlabelled_denied, world.policy.archive)
    for name, owned in OWNED.items():
        for one in getattr(world, name).values():
            yield from owned.rows(one, world.policy)


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one field of the world: ids whose objects went or changed, and the objects there now."""

    name: str
    gone: tuple[str, ...]
    new: tuple[Any, ...]


def differences(before: World, after: World) -> Iterator[Difference]:
    """Objects are compared by identity: whoever changes a world replaces what changed."""
    for one in fields(World):
        if one.name not in OWNED:
            continue
        old, new = getattr(before, one.name), getattr(after, one.name)
        if old is new:
            continue
        gone = tuple(key for key, item in old.items() if new.get(key) is not item)
        come = tuple(item for key, item in new.items() if old.get(key) is not item)
        if gone or come:
            yield Difference(one.name, gone, come)
