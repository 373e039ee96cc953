"""Documents of a world made from flat rows: one row a document, a version or a chunk."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rageval_kit.corpus.times import Side, TimeError, parse_instant
from rageval_kit.intake.cells import CellError, read_flag, read_id, read_ids, time_text
from rageval_kit.intake.chunking import MAX_CHARS, first_heading, passages
from rageval_kit.intake.files import Row
from rageval_kit.intake.report import Collector, lines_shown, nearest

_DOCUMENT = (
    "document_id",
    "tenant",
    "folder",
    "label",
    "compartments",
    "owner",
    "inherits",
    "authority",
)
_VERSION = (
    "version_id",
    "title",
    "language",
    "valid_from",
    "valid_to",
    "recorded_from",
    "recorded_to",
    "supersedes",
    "metadata",
)
_CHUNK = ("chunk_id", "text", "location", "table_header", "chunk_label", "chunk_kind")
_LISTS = {
    "allow_users": ("allow", "user"),
    "allow_units": ("allow", "unit"),
    "allow_groups": ("allow", "unit"),
    "deny_users": ("deny", "user"),
    "deny_units": ("deny", "unit"),
    "deny_groups": ("deny", "unit"),
}
_FLAGS = {
    "everyone": ("allow", "everyone"),
    "public": ("allow", "public"),
    "deny_everyone": ("deny", "everyone"),
    "deny_public": ("deny", "public"),
}
_ALLOWING = ("entries", "allow_users", "allow_units", "allow_groups")
_ACCESS = (*_LISTS, *_FLAGS, "entries")
RIGHTS = (*_ACCESS, "tenant", "label", "compartments", "inherits")
COLUMNS = (*_DOCUMENT, *_VERSION, "state", *_CHUNK, *_ACCESS)


@dataclass(frozen=True, slots=True)
class Mapped:
    """How a file's columns become ours: renamed, ignored by name, or filled in where absent."""

    columns: Mapping[str, str] = field(default_factory=dict)
    ignore: frozenset[str] = frozenset()
    defaults: Mapping[str, Any] = field(default_factory=dict)
    max_chars: int = MAX_CHARS
    timezone: str = "UTC"


def documents_of(rows: list[Row], mapped: Mapped, faults: Collector) -> list[Row]:
    """Gather flat rows into documents; what cannot be gathered is a fault of its row."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        renamed = _renamed(row, mapped, faults)
        if renamed is not None:
            groups.setdefault(renamed.data["document_id"], []).append(renamed)
    return [_document(document_id, group, mapped, faults) for document_id, group in groups.items()]


def _renamed(row: Row, mapped: Mapped, faults: Collector) -> Row | None:
    if not isinstance(row.data, Mapping):
        faults.fault(row.file, row.line, "", row.data, "is not an object", "write one per row")
        return None
    line = row.data.get(None, row.line)
    data: dict[str, Any] = {}
    is_csv = row.file.lower().endswith(".csv")
    for name, value in row.data.items():
        column = mapped.columns.get(name, name)
        if name is None or name in mapped.ignore:
            continue
        if column not in COLUMNS:
            # an unread column could be the one that denies, so none is passed over in silence
            way_out = f"{nearest(str(column), COLUMNS)} Map it, or name it under ignore"
            faults.fault(row.file, line, str(name), None, "is no column that is read", way_out)
        elif column in data:
            rule = f"is a second column for {column}"
            faults.fault(row.file, line, str(name), None, rule, "map one of the two")
        elif is_csv and value == "" and column not in _LISTS and column != "text":
            data[column] = None
        else:
            data[column] = value
    # a default must never widen a list that the row itself gives
    own_list = any(data.get(column) is not None for column in (*_ALLOWING, "everyone", "public"))
    for column, value in mapped.defaults.items():
        if data.get(column) is None and not (own_list and column in _ACCESS):
            data[column] = value
    try:
        data["document_id"] = read_id(data["document_id"]) if data.get("document_id") else ""
    except CellError as error:
        faults.fault(row.file, line, "document_id", data["document_id"], error.rule, error.way_out)
        return None
    if not data["document_id"]:
        faults.fault(row.file, line, "document_id", None, "is missing", "write the id")
        return None
    return Row(row.file, line, data)


def _document(document_id: str, rows: list[Row], mapped: Mapped, faults: Collector) -> Row:
    versions: dict[str, list[Row]] = {}
    # said once for all rows: a column mapped wrongly can give every row the same id
    lines = lines_shown([row.line for row in rows])
    doubled = f"the id stands {len(rows)} times (after NFC): {lines}"
    for row in rows:
        version_id = row.data.get("version_id")
        if version_id is None and len(rows) > 1 and row.data.get("chunk_id") is None:
            rule = doubled
            way_out = "give each its own, or tell versions apart by version_id"
            faults.fault(row.file, row.line, "document_id", document_id, rule, way_out)
        versions.setdefault(str(version_id or f"{document_id}@1"), []).append(row)
    for version_id, parts in versions.items():
        if len(parts) > 1 and any(part.data.get("chunk_id") is None for part in parts):
            for part in parts[1:] if len(versions) > 1 else ():
                rule = f"is a second row of this version (first on line {parts[0].line})"
                way_out = "give the rows of one version a chunk_id each"
                faults.fault(part.file, part.line, "version_id", version_id, rule, way_out)
    _agree(rows, _DOCUMENT, "document", faults)
    for parts in versions.values():
        _agree(parts, (*_VERSION, "state", *_ACCESS), "version", faults)
    newest = max(rows, key=lambda row: _recorded(row, mapped.timezone))
    document = {name: newest.data[name] for name in _DOCUMENT if newest.data.get(name) is not None}
    if isinstance(document.get("compartments"), str):
        document["compartments"] = _listed(newest, "compartments", faults)
    # where each version brings a list, that of the newest recorded one holds for all
    document["entries"] = _entries(newest, faults)
    for row in rows:
        if row is not newest:
            _entries(row, faults)
    document["versions"] = [
        _version(version_id, parts, mapped) for version_id, parts in versions.items()
    ]
    return Row(newest.file, newest.line, document)


def _agree(rows: list[Row], columns: tuple[str, ...], what: str, faults: Collector) -> None:
    """Name every row that says otherwise than the first of what all rows of it share."""
    first = rows[0]
    for row in rows[1:]:
        for column in columns:
            value = row.data.get(column)
            if value != first.data.get(column):
                rule = f"differs from the first row of its {what} (line {first.line})"
                way_out = f"say the same in every row of one {what}"
                faults.fault(row.file, row.line, column, value, rule, way_out)


def _recorded(row: Row, timezone: str) -> tuple[str, str]:
    def instant(column: str) -> str:
        value = row.data.get(column)
        try:
            return (
                ""
                if value is None
                else parse_instant(time_text(value), timezone, Side.START).isoformat()
            )
        except (CellError, TimeError):
            return ""  # the validation of the version names it

    return instant("recorded_from"), instant("valid_from")


def _version(version_id: str, parts: list[Row], mapped: Mapped) -> dict[str | None, Any]:
    data = parts[0].data
    version: dict[str | None, Any] = {
        name: data[name] for name in _VERSION if data.get(name) is not None
    }
    version[None] = parts[0].line
    version["version_id"] = data.get("version_id") or version_id
    version["states"] = data.get("state") or "published"
    chunks: list[dict[str | None, Any]] = []
    for part in parts:
        text = part.data.get("text")
        if part.data.get("chunk_id") is not None or not isinstance(text, str):
            chunks.append(_chunk(part))
            continue
        if "title" not in version and first_heading(text):
            version["title"] = first_heading(text)
        for passage in passages(text, mapped.max_chars):
            chunk: dict[str | None, Any] = {"text": passage.text, "location": passage.location}
            chunk["kind"] = passage.kind
            if passage.table_header:
                chunk["table_header"] = passage.table_header
            chunks.append(chunk)
    version["chunks"] = chunks
    return version


def _chunk(row: Row) -> dict[str | None, Any]:
    names = {
        "chunk_id": "chunk_id",
        "text": "text",
        "location": "location",
        "table_header": "table_header",
        "chunk_label": "label",
        "chunk_kind": "kind",
    }
    data = row.data
    chunk: dict[str | None, Any] = {None: row.line}
    chunk.update((ours, data[name]) for name, ours in names.items() if data.get(name) is not None)
    return chunk


def _listed(row: Row, column: str, faults: Collector) -> list[str]:
    try:
        return read_ids(row.data[column])
    except CellError as error:
        faults.fault(row.file, row.line, column, row.data[column], error.rule, error.way_out)
        return []


def _entries(row: Row, faults: Collector) -> list[Any]:
    data = row.data
    flags: dict[str, bool] = {}
    for column in _FLAGS:
        if data.get(column) is not None:
            try:
                flags[column] = read_flag(data[column])
            except CellError as error:
                faults.fault(row.file, row.line, column, data[column], error.rule, error.way_out)
                flags[column] = True  # said something, though not what: no second fault
    says_who = any(data.get(column) is not None for column in _ALLOWING)
    if not says_who and not flags.get("public") and not flags.get("everyone"):
        rule = "no column says who may read"
        way_out = "write allow_users, allow_units or entries; an empty list means nobody"
        faults.fault(row.file, row.line, "allow_units", None, rule, way_out)
        return []
    entries: list[Any] = []
    value = data.get("entries")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            rule, way_out = "is not a JSON list", 'write [{"effect": "allow", …}]'
            faults.fault(row.file, row.line, "entries", value, rule, way_out)
            value = []
    if value is not None and not isinstance(value, list):
        rule = "is not a list"
        faults.fault(row.file, row.line, "entries", value, rule, "write a list; [] means nobody")
        value = []
    entries.extend(value or [])
    for column, (effect, kind) in _LISTS.items():
        if data.get(column) is not None:
            ids = _listed(row, column, faults)
            entries.extend({"effect": effect, "kind": kind, "id": item} for item in ids)
    for column, (effect, kind) in _FLAGS.items():
        if flags.get(column):
            entries.append({"effect": effect, "kind": kind})
    return entries
