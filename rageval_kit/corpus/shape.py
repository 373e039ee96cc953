"""What does each record of a world look like as a line of JSON, and back?"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from rageval_kit.corpus.times import EVER, Side, format_instant, parse_instant
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
    PrincipalStatus,
    ShareLink,
    State,
    SubjectKind,
    Tenant,
    Unit,
    UnitKind,
    Version,
    Window,
)
from rageval_kit.text.normalise import nfc

Line = Mapping[str, Any]


def _optional_id(value: str | None) -> str | None:
    return None if value is None else nfc(value)


def _ids(values: Iterable[str] | None) -> frozenset[str]:
    return frozenset(nfc(value) for value in values or ())


def _start(line: Line, key: str, timezone: str) -> datetime | None:
    value = line.get(key)
    return None if value is None else parse_instant(value, timezone, Side.START)


def _end(line: Line, key: str, timezone: str) -> datetime | None:
    value = line.get(key)
    return None if value is None else parse_instant(value, timezone, Side.END)


def _window(line: Line, timezone: str) -> Window:
    return Window(_start(line, "not_before", timezone), _end(line, "expires", timezone))


def read_entry(line: Line, timezone: str, owner_id: str, position: int) -> Entry:
    """Read an entry; without an id of its own it takes one from its place in the list."""
    return Entry(
        entry_id=nfc(line.get("entry_id") or f"{owner_id}#entry{position}"),
        effect=Effect(line["effect"]),
        subject_kind=SubjectKind(line["kind"]),
        subject_id=nfc(line.get("id") or ""),
        window=_window(line, timezone),
        revoked_at=_start(line, "revoked_at", timezone),
    )


def read_chunk(line: Line, version_id: str, position: int) -> Chunk:
    """Read a chunk; without an id of its own it is numbered within its version."""
    return Chunk(
        chunk_id=nfc(line.get("chunk_id") or f"{version_id}#{position}"),
        text=line["text"],
        location=line.get("location") or "",
        table_header=line.get("table_header"),
        label=_optional_id(line.get("label")),
        compartments=_ids(line.get("compartments")),
        kind=line.get("kind") or "body",
    )


def read_version(line: Line, timezone: str) -> Version:
    """Read a version. `states: published` alone means in that state for as long as recorded."""
    version_id = nfc(line["version_id"])
    if "supersedes" in line:
        # its windows were never computed, and what it supersedes would stand open
        raise ValueError("says what it supersedes: build it with `rageval-kit snapshot` first")
    recorded_from = _start(line, "recorded_from", timezone)
    states = line["states"]
    history: tuple[tuple[datetime, State], ...]
    if isinstance(states, str):
        history = ((recorded_from or EVER, State(states)),)
    else:
        history = tuple(
            (parse_instant(item["at"], timezone), State(item["state"])) for item in states
        )
    return Version(
        version_id=version_id,
        title=line.get("title") or "",
        chunks=tuple(read_chunk(c, version_id, n) for n, c in enumerate(line["chunks"], 1)),
        valid_from=_start(line, "valid_from", timezone),
        valid_to=_end(line, "valid_to", timezone),
        recorded_from=recorded_from,
        recorded_to=_end(line, "recorded_to", timezone),
        states=history,
        language=line.get("language") or "",
        metadata=tuple((line.get("metadata") or {}).items()),
    )


def read_document(line: Line, timezone: str) -> Document:
    document_id = nfc(line["document_id"])
    return Document(
        document_id=document_id,
        tenant_id=nfc(line["tenant"]),
        versions=tuple(read_version(version, timezone) for version in line["versions"]),
        folder_id=_optional_id(line.get("folder")),
        label=_optional_id(line.get("label")),
        compartments=_ids(line.get("compartments")),
        entries=tuple(
            read_entry(entry, timezone, document_id, n) for n, entry in enumerate(line["entries"])
        ),
        inherits=line.get("inherits", True),
        owner_id=_optional_id(line.get("owner")),
        authority=int(line.get("authority") or 0),
    )


def read_folder(line: Line, timezone: str) -> Folder:
    folder_id = nfc(line["folder_id"])
    return Folder(
        folder_id=folder_id,
        tenant_id=nfc(line["tenant"]),
        parent_id=_optional_id(line.get("parent")),
        name=line.get("name") or "",
        label=_optional_id(line.get("label")),
        compartments=_ids(line.get("compartments")),
        entries=tuple(
            read_entry(entry, timezone, folder_id, n) for n, entry in enumerate(line["entries"])
        ),
        inherits=line.get("inherits", True),
    )


def read_policy(line: Line) -> AccessPolicy:
    return AccessPolicy(
        labels=tuple(nfc(label) for label in line.get("labels") or ()),
        unlabelled_denied=(line.get("unlabelled") or "lowest") == "deny",
        archive=line.get("archive", False),
    )


def read_tenant(line: Line, timezone: str) -> Tenant:  # noqa: ARG001 - one shape for all readers
    return Tenant(nfc(line["tenant_id"]), line.get("name") or "")


def read_principal(line: Line, timezone: str) -> Principal:
    return Principal(
        principal_id=nfc(line["principal_id"]),
        tenant_id=_optional_id(line.get("tenant")),
        kind=PrincipalKind(line.get("kind") or "user"),
        name=line.get("name") or "",
        clearance=_optional_id(line.get("clearance")),
        compartments=_ids(line.get("compartments")),
        statuses=tuple(
            (parse_instant(item["at"], timezone), PrincipalStatus(item["status"]))
            for item in line.get("statuses") or ()
        ),
    )


def read_unit(line: Line, timezone: str) -> Unit:  # noqa: ARG001 - one shape for all readers
    return Unit(
        unit_id=nfc(line["unit_id"]),
        tenant_id=nfc(line["tenant"]),
        kind=UnitKind(line.get("kind") or "group"),
        name=line.get("name") or "",
    )


def read_membership(line: Line, timezone: str) -> Membership:
    unit_id, member_id = nfc(line["unit"]), nfc(line["member"])
    return Membership(
        membership_id=nfc(line.get("membership_id") or f"{unit_id}/{member_id}"),
        unit_id=unit_id,
        member_id=member_id,
        member_is_unit=(line.get("member_kind") or "user") == "unit",
        window=_window(line, timezone),
        revoked_at=_start(line, "revoked_at", timezone),
    )


def read_guest(line: Line, timezone: str) -> Guest:
    principal_id, tenant_id = nfc(line["principal"]), nfc(line["tenant"])
    return Guest(
        guest_id=nfc(line.get("guest_id") or f"{principal_id}@{tenant_id}"),
        principal_id=principal_id,
        tenant_id=tenant_id,
        window=_window(line, timezone),
        revoked_at=_start(line, "revoked_at", timezone),
    )


def read_link(line: Line, timezone: str) -> ShareLink:
    return ShareLink(
        link_id=nfc(line["link_id"]),
        window=_window(line, timezone),
        revoked_at=_start(line, "revoked_at", timezone),
        opened=tuple(
            (nfc(item["principal"]), parse_instant(item["at"], timezone))
            for item in line.get("opened") or ()
        ),
    )


def _plain(**values: Any) -> dict[str, Any]:
    """Keep what says something: None, empty text and empty lists are the defaults of reading."""
    plain: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, datetime):
            plain[key] = format_instant(value)
        elif isinstance(value, frozenset):
            if value:
                plain[key] = sorted(value)
        elif value is not None and value != "":
            plain[key] = value
    return plain


def write_entry(entry: Entry) -> dict[str, Any]:
    return _plain(
        entry_id=entry.entry_id,
        effect=str(entry.effect),
        kind=str(entry.subject_kind),
        id=entry.subject_id,
        not_before=entry.window.start,
        expires=entry.window.end,
        revoked_at=entry.revoked_at,
    )


def write_chunk(chunk: Chunk) -> dict[str, Any]:
    return {
        **_plain(
            chunk_id=chunk.chunk_id,
            location=chunk.location,
            table_header=chunk.table_header,
            label=chunk.label,
            compartments=chunk.compartments,
            kind=chunk.kind,
        ),
        "text": chunk.text,
    }


def write_version(version: Version) -> dict[str, Any]:
    return {
        **_plain(
            version_id=version.version_id,
            title=version.title,
            language=version.language,
            valid_from=version.valid_from,
            valid_to=version.valid_to,
            recorded_from=version.recorded_from,
            recorded_to=version.recorded_to,
            metadata=dict(version.metadata) or None,
        ),
        "states": [{"at": format_instant(at), "state": str(state)} for at, state in version.states],
        "chunks": [write_chunk(chunk) for chunk in version.chunks],
    }


def write_document(document: Document) -> dict[str, Any]:
    return {
        **_plain(
            document_id=document.document_id,
            tenant=document.tenant_id,
            folder=document.folder_id,
            label=document.label,
            compartments=document.compartments,
            owner=document.owner_id,
            inherits=document.inherits,
            authority=document.authority or None,  # 0 is the default, and older digests stand
        ),
        "entries": _by_id([write_entry(entry) for entry in document.entries], "entry_id"),
        "versions": _by_id([write_version(v) for v in document.versions], "version_id"),
    }


def write_folder(folder: Folder) -> dict[str, Any]:
    return {
        **_plain(
            folder_id=folder.folder_id,
            tenant=folder.tenant_id,
            parent=folder.parent_id,
            name=folder.name,
            label=folder.label,
            compartments=folder.compartments,
            inherits=folder.inherits,
        ),
        "entries": _by_id([write_entry(entry) for entry in folder.entries], "entry_id"),
    }


def write_policy(policy: AccessPolicy) -> dict[str, Any]:
    return {
        "labels": list(policy.labels),
        "unlabelled": "deny" if policy.unlabelled_denied else "lowest",
        "archive": policy.archive,
    }


def write_tenant(tenant: Tenant) -> dict[str, Any]:
    return _plain(tenant_id=tenant.tenant_id, name=tenant.name)


def write_principal(principal: Principal) -> dict[str, Any]:
    return {
        **_plain(
            principal_id=principal.principal_id,
            tenant=principal.tenant_id,
            kind=str(principal.kind),
            name=principal.name,
            clearance=principal.clearance,
            compartments=principal.compartments,
        ),
        "statuses": [
            {"at": format_instant(at), "status": str(status)} for at, status in principal.statuses
        ],
    }


def write_unit(unit: Unit) -> dict[str, Any]:
    return _plain(unit_id=unit.unit_id, tenant=unit.tenant_id, kind=str(unit.kind), name=unit.name)


def write_membership(membership: Membership) -> dict[str, Any]:
    return _plain(
        membership_id=membership.membership_id,
        unit=membership.unit_id,
        member=membership.member_id,
        member_kind="unit" if membership.member_is_unit else "user",
        not_before=membership.window.start,
        expires=membership.window.end,
        revoked_at=membership.revoked_at,
    )


def write_guest(guest: Guest) -> dict[str, Any]:
    return _plain(
        guest_id=guest.guest_id,
        principal=guest.principal_id,
        tenant=guest.tenant_id,
        not_before=guest.window.start,
        expires=guest.window.end,
        revoked_at=guest.revoked_at,
    )


def write_link(link: ShareLink) -> dict[str, Any]:
    opened = sorted((format_instant(at), principal_id) for principal_id, at in link.opened)
    return {
        **_plain(
            link_id=link.link_id,
            not_before=link.window.start,
            expires=link.window.end,
            revoked_at=link.revoked_at,
        ),
        "opened": [{"principal": principal_id, "at": at} for at, principal_id in opened],
    }


def _by_id(lines: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return sorted(lines, key=lambda line: str(line[key]))
