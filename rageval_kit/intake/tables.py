"""The columns of every table that people bring, and which of them may not be missing."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rageval_kit.intake.cells import Kind
from rageval_kit.records.world import (
    Effect,
    PrincipalKind,
    PrincipalStatus,
    State,
    SubjectKind,
    UnitKind,
)


@dataclass(frozen=True, slots=True)
class Column:
    """`words` are the accepted spellings of a WORD column."""

    name: str
    kind: Kind
    required: bool = False
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Nested:
    """A list of rows of another table inside a row."""

    name: str
    table: "TableSpec"
    required: bool = False


@dataclass(frozen=True, slots=True)
class TableSpec:
    """`key` is the id that must be unique in the table, `windows` the (start, end) pairs."""

    name: str
    columns: tuple[Column, ...]
    key: str = ""
    nested: tuple[Nested, ...] = ()
    windows: tuple[tuple[str, str], ...] = ()
    by_name: Mapping[str, Column] = field(init=False)
    keys: tuple[str, ...] = field(init=False)
    known: frozenset[str | None] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {column.name: column for column in self.columns})
        names = (*self.by_name, *(nested.name for nested in self.nested))
        object.__setattr__(self, "keys", names)
        # rows out of YAML carry their line under None
        object.__setattr__(self, "known", frozenset({None, *names}))


def _id(name: str, *, required: bool = False) -> Column:
    return Column(name, Kind.ID, required)


def _text(name: str, *, required: bool = False) -> Column:
    return Column(name, Kind.TEXT, required)


def _word(name: str, words: type, *, required: bool = False) -> Column:
    return Column(name, Kind.WORD, required, tuple(str(word) for word in words))  # type: ignore[attr-defined]


_LIVE = (
    Column("not_before", Kind.START),
    Column("expires", Kind.END),
    Column("revoked_at", Kind.INSTANT),
)
_LIVE_WINDOW = (("not_before", "expires"),)

_ENTRY_COLUMNS = (
    _id("entry_id"),
    _word("effect", Effect, required=True),
    _word("kind", SubjectKind, required=True),
    _id("id"),
    *_LIVE,
)
ENTRIES = TableSpec("entries", _ENTRY_COLUMNS, windows=_LIVE_WINDOW)
FOLDER_ENTRIES = TableSpec("folder entries", _ENTRY_COLUMNS, windows=_LIVE_WINDOW)

STATES = TableSpec(
    "states", (Column("at", Kind.INSTANT, required=True), _word("state", State, required=True))
)
CHUNK_KINDS = ("body", "table", "footnote", "attachment")
CHUNKS = TableSpec(
    "chunks",
    (
        _id("chunk_id"),
        _text("text", required=True),
        _text("location"),
        _text("table_header"),
        _id("label"),
        Column("compartments", Kind.IDS),
        Column("kind", Kind.WORD, words=CHUNK_KINDS),
    ),
    key="chunk_id",
)
VERSIONS = TableSpec(
    "versions",
    (
        _id("version_id", required=True),
        _text("title"),
        Column("valid_from", Kind.START),
        Column("valid_to", Kind.END),
        Column("recorded_from", Kind.START),
        Column("recorded_to", Kind.END),
        Column("supersedes", Kind.IDS),
        _text("language"),
        Column("metadata", Kind.PAIRS),
    ),
    key="version_id",
    nested=(Nested("states", STATES, required=True), Nested("chunks", CHUNKS, required=True)),
    windows=(("valid_from", "valid_to"), ("recorded_from", "recorded_to")),
)
DOCUMENTS = TableSpec(
    "documents",
    (
        _id("document_id", required=True),
        _id("tenant", required=True),
        _id("folder"),
        _id("label"),
        Column("compartments", Kind.IDS),
        _id("owner"),
        Column("inherits", Kind.FLAG),
        Column("authority", Kind.NUMBER),
    ),
    key="document_id",
    nested=(Nested("entries", ENTRIES, required=True), Nested("versions", VERSIONS, required=True)),
)
FOLDERS = TableSpec(
    "folders",
    (
        _id("folder_id", required=True),
        _id("tenant", required=True),
        _id("parent"),
        _text("name"),
        _id("label"),
        Column("compartments", Kind.IDS),
        Column("inherits", Kind.FLAG),
    ),
    key="folder_id",
    nested=(Nested("entries", FOLDER_ENTRIES, required=True),),
)
TENANTS = TableSpec("tenants", (_id("tenant_id", required=True), _text("name")), key="tenant_id")
STATUSES = TableSpec(
    "statuses",
    (Column("at", Kind.INSTANT, required=True), _word("status", PrincipalStatus, required=True)),
)
PRINCIPALS = TableSpec(
    "principals",
    (
        _id("principal_id", required=True),
        _id("tenant"),
        _word("kind", PrincipalKind),
        _text("name"),
        _id("clearance"),
        Column("compartments", Kind.IDS),
    ),
    key="principal_id",
    nested=(Nested("statuses", STATUSES),),
)
UNITS = TableSpec(
    "units",
    (
        _id("unit_id", required=True),
        _id("tenant", required=True),
        _word("kind", UnitKind),
        _text("name"),
    ),
    key="unit_id",
)
MEMBER_KINDS = ("user", "unit")
MEMBERSHIPS = TableSpec(
    "memberships",
    (
        _id("membership_id"),
        _id("unit", required=True),
        _id("member", required=True),
        Column("member_kind", Kind.WORD, words=MEMBER_KINDS),
        *_LIVE,
    ),
    key="membership_id",
    windows=_LIVE_WINDOW,
)
GUESTS = TableSpec(
    "guests",
    (_id("guest_id"), _id("principal", required=True), _id("tenant", required=True), *_LIVE),
    key="guest_id",
    windows=_LIVE_WINDOW,
)
OPENED = TableSpec(
    "opened", (_id("principal", required=True), Column("at", Kind.INSTANT, required=True))
)
LINKS = TableSpec(
    "links",
    (_id("link_id", required=True), *_LIVE),
    key="link_id",
    nested=(Nested("opened", OPENED),),
    windows=_LIVE_WINDOW,
)

SNAPSHOT_TABLES = (DOCUMENTS, FOLDERS)
DIRECTORY_TABLES = (TENANTS, PRINCIPALS, UNITS, MEMBERSHIPS, GUESTS, LINKS)
