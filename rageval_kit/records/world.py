"""The world a run speaks of: documents with their versions, people with their rights, one clock.

All instants are timezone-aware; all intervals are half-open `[start, end)`; `None` is an open end.
Ids are opaque text in NFC; `document_id`, `version_id`, `chunk_id` are each unique in a snapshot.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Effect(StrEnum):
    ALLOW = "allow"
    DENY = "deny"


class SubjectKind(StrEnum):
    """Whom an entry names. `unit`: a group or a department; `everyone`, `public` carry no id."""

    USER = "user"
    UNIT = "unit"
    EVERYONE = "everyone"
    PUBLIC = "public"
    LINK = "link"


class State(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    WITHDRAWN = "withdrawn"
    QUARANTINED = "quarantined"
    DELETED = "deleted"


class PrincipalKind(StrEnum):
    USER = "user"
    SERVICE = "service"
    AGENT = "agent"
    ANONYMOUS = "anonymous"


class PrincipalStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"
    DELETED = "deleted"


class UnitKind(StrEnum):
    GROUP = "group"
    DEPARTMENT = "department"


@dataclass(frozen=True, slots=True)
class Window:
    """`[start, end)`; `None` is unbounded."""

    start: datetime | None = None
    end: datetime | None = None

    def contains(self, instant: datetime) -> bool:
        return (self.start is None or self.start <= instant) and (
            self.end is None or instant < self.end
        )


ALWAYS = Window()


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an access list on a document or folder; live in `window` until `revoked_at`."""

    entry_id: str
    effect: Effect
    subject_kind: SubjectKind
    subject_id: str = ""
    window: Window = ALWAYS
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage. `label` None means the document's; `kind`: body, table, footnote, attachment."""

    chunk_id: str
    text: str
    location: str = ""
    table_header: str | None = None
    label: str | None = None
    compartments: frozenset[str] = frozenset()
    kind: str = "body"

    @property
    def whole(self) -> str:
        """Its text as it is indexed: a table's header on the line before."""
        return f"{self.table_header}\n{self.text}" if self.table_header else self.text


@dataclass(frozen=True, slots=True)
class Version:
    """One edition of a document. `valid_from` None is undefined and never valid (C6).

    `recorded_from` None means recorded since ever. `states` is a history `(instant, state)` in
    ascending order; before its first entry the version is a draft. `metadata` is what its author
    says of it beside the text (author, tags, file name, …), in the author's order; it decides
    nothing.
    """

    version_id: str
    title: str
    chunks: tuple[Chunk, ...]
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    recorded_from: datetime | None = None
    recorded_to: datetime | None = None
    states: tuple[tuple[datetime, State], ...] = ()
    language: str = ""
    metadata: tuple[tuple[str, str], ...] = ()

    def state_at(self, instant: datetime) -> tuple[State, datetime | None]:
        """The state then, and since when it was so; None: since ever."""
        reached = [(at, state) for at, state in self.states if at <= instant]
        return (reached[-1][1], reached[-1][0]) if reached else (State.DRAFT, None)


@dataclass(frozen=True, slots=True)
class Document:
    """`inherits` False breaks inheritance of folder entries (allow and deny), not of labels.

    `authority`: how much its source counts where sources disagree; the higher, the more. What
    anybody may upload stands at 0, what an organisation has issued above it.
    """

    document_id: str
    tenant_id: str
    versions: tuple[Version, ...]
    folder_id: str | None = None
    label: str | None = None
    compartments: frozenset[str] = frozenset()
    entries: tuple[Entry, ...] = ()
    inherits: bool = True
    owner_id: str | None = None
    authority: int = 0


@dataclass(frozen=True, slots=True)
class Folder:
    folder_id: str
    tenant_id: str
    parent_id: str | None = None
    name: str = ""
    label: str | None = None
    compartments: frozenset[str] = frozenset()
    entries: tuple[Entry, ...] = ()
    inherits: bool = True


@dataclass(frozen=True, slots=True)
class Tenant:
    tenant_id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Principal:
    """`statuses` is a history `(instant, status)`; empty means active since ever.

    Before the first entry of a non-empty history the principal does not exist yet.
    """

    principal_id: str
    tenant_id: str | None = None
    kind: PrincipalKind = PrincipalKind.USER
    name: str = ""
    clearance: str | None = None
    compartments: frozenset[str] = frozenset()
    statuses: tuple[tuple[datetime, PrincipalStatus], ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """A group or a department; both nest, to any depth, without cycles."""

    unit_id: str
    tenant_id: str
    kind: UnitKind = UnitKind.GROUP
    name: str = ""


@dataclass(frozen=True, slots=True)
class Membership:
    """`member_id` (a principal, or a unit where `member_is_unit`) belongs to `unit_id`."""

    membership_id: str
    unit_id: str
    member_id: str
    member_is_unit: bool = False
    window: Window = ALWAYS
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest membership of a principal in a tenant that is not its own."""

    guest_id: str
    principal_id: str
    tenant_id: str
    window: Window = ALWAYS
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ShareLink:
    """A link; entries of kind `link` name it by id. `opened` records who opened it, and when."""

    link_id: str
    window: Window = ALWAYS
    revoked_at: datetime | None = None
    opened: tuple[tuple[str, datetime], ...] = ()


@dataclass(frozen=True, slots=True)
class AccessPolicy:
    """`labels` from lowest to highest. `unlabelled_denied`: a missing label denies, not lowest."""

    labels: tuple[str, ...] = ()
    unlabelled_denied: bool = False
    archive: bool = False


@dataclass(frozen=True, slots=True)
class World:
    """Everything that decides who may read what; `clock` is the declared `now`."""

    documents: Mapping[str, Document]
    folders: Mapping[str, Folder]
    tenants: Mapping[str, Tenant]
    principals: Mapping[str, Principal]
    units: Mapping[str, Unit]
    memberships: Mapping[str, Membership]
    guests: Mapping[str, Guest]
    links: Mapping[str, ShareLink]
    clock: datetime
    policy: AccessPolicy = field(default_factory=AccessPolicy)
    timezone: str = "UTC"
    name: str = ""
