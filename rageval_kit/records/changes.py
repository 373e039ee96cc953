"""What can happen to a world: each change says what, to which object, at which instant.

A target with the power `mutate` is sent these; the generator's own copy of the world takes them
through `corpus.evolve`, so that expectations follow the same script.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from rageval_kit.records.world import (
    Document,
    Entry,
    Folder,
    Guest,
    Membership,
    Principal,
    PrincipalStatus,
    ShareLink,
    State,
    Version,
)


@dataclass(frozen=True, slots=True)
class Grant:
    """Add an entry (allow or deny) to a document, or to a folder where `on_folder`."""

    object_id: str
    entry: Entry
    on_folder: bool = False


@dataclass(frozen=True, slots=True)
class Revoke:
    object_id: str
    entry_id: str
    at: datetime
    on_folder: bool = False


@dataclass(frozen=True, slots=True)
class SetState:
    """`version_id` None: every version of the document."""

    document_id: str
    state: State
    at: datetime
    version_id: str | None = None


@dataclass(frozen=True, slots=True)
class Publish:
    """Add a document.

    `claims`: what the uploader wrote into the file about tenant, acl, owner or date. The document
    is as the source of truth holds it; a sound target takes nothing from the claims.
    """

    document: Document
    claims: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PublishVersion:
    """Add a version; the one valid at `version.valid_from` ends there."""

    document_id: str
    version: Version


@dataclass(frozen=True, slots=True)
class Move:
    document_id: str
    folder_id: str | None


@dataclass(frozen=True, slots=True)
class AddFolder:
    folder: Folder


@dataclass(frozen=True, slots=True)
class SetInheritance:
    object_id: str
    inherits: bool
    on_folder: bool = False


@dataclass(frozen=True, slots=True)
class Malform:
    """Leave a document's own list in a state no import accepts; it then denies (as if empty).

    `how`: empty, missing, unknown_principal, wrong_type.
    """

    document_id: str
    how: str


@dataclass(frozen=True, slots=True)
class AddPrincipal:
    principal: Principal


@dataclass(frozen=True, slots=True)
class SetStatus:
    principal_id: str
    status: PrincipalStatus
    at: datetime


@dataclass(frozen=True, slots=True)
class Enroll:
    membership: Membership


@dataclass(frozen=True, slots=True)
class EndMembership:
    membership_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Invite:
    guest: Guest


@dataclass(frozen=True, slots=True)
class EndGuest:
    guest_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AddLink:
    link: ShareLink


@dataclass(frozen=True, slots=True)
class OpenLink:
    """Record that a principal opened the link (possession)."""

    link_id: str
    principal_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class RevokeLink:
    link_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Reindex:
    at: datetime


@dataclass(frozen=True, slots=True)
class Reembed:
    """The embedding model is replaced; from here on every vector belongs to `model`."""

    model: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SetClock:
    now: datetime


@dataclass(frozen=True, slots=True)
class Relabel:
    """A document's label and compartments change; its text stays."""

    document_id: str
    label: str | None
    compartments: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Break:
    """A part of the target fails (power disturb); the world stays as it is.

    `part`: acl_service, replica, …. `how`: timeout, error, stale_token, empty_reply, lag, ….
    """

    part: str
    how: str


@dataclass(frozen=True, slots=True)
class Mend:
    part: str


@dataclass(frozen=True, slots=True)
class Resync:
    """The connector runs again over its source, which has changed nothing meanwhile."""

    at: datetime


@dataclass(frozen=True, slots=True)
class RestoreBackup:
    """The index is put back from a backup made when it was connected, and catches up after it."""

    at: datetime


@dataclass(frozen=True, slots=True)
class BeforeAnswer:
    """The changes happen between retrieving and answering of the question that comes next."""

    changes: "tuple[Change, ...]"


Change = (
    Grant
    | Revoke
    | SetState
    | Publish
    | PublishVersion
    | Move
    | AddFolder
    | SetInheritance
    | Malform
    | AddPrincipal
    | SetStatus
    | Enroll
    | EndMembership
    | Invite
    | EndGuest
    | AddLink
    | OpenLink
    | RevokeLink
    | Reindex
    | Reembed
    | SetClock
    | Relabel
    | Break
    | Mend
    | Resync
    | RestoreBackup
    | BeforeAnswer
)
