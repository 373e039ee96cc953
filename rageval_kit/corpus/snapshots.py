"""How is a world written to disk, and read back once it is known to be valid?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rageval_kit.corpus import shape
from rageval_kit.corpus.atomic import new_folder, write_file
from rageval_kit.corpus.digests import (
    SCHEMA,
    directory_tables,
    document_lines,
    encode,
    folder_lines,
    head_lines,
    snapshot_digest,
)
from rageval_kit.corpus.times import EVER, TimeError, parse_instant
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import (
    AccessPolicy,
    Document,
    Folder,
    Guest,
    Membership,
    Principal,
    ShareLink,
    Tenant,
    Unit,
    World,
)

TABLES = ("tenants", "principals", "units", "memberships", "guests", "links")
_WAY_OUT = "`rageval-kit validate` lists every fault of the file"

Record = TypeVar("Record")
Reader = Callable[[Mapping[str, Any], str], Record]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The content half of a world."""

    documents: Mapping[str, Document]
    folders: Mapping[str, Folder]
    clock: datetime
    policy: AccessPolicy
    timezone: str
    name: str

    def with_nobody(self) -> World:
        """Give this content as a world without people, for its digest."""
        return join(self, Directory({}, {}, {}, {}, {}, {}))


@dataclass(frozen=True, slots=True)
class Directory:
    """The people half of a world."""

    tenants: Mapping[str, Tenant]
    principals: Mapping[str, Principal]
    units: Mapping[str, Unit]
    memberships: Mapping[str, Membership]
    guests: Mapping[str, Guest]
    links: Mapping[str, ShareLink]

    def with_nothing(self) -> World:
        """Give these people as a world without content, for its digest."""
        return join(Snapshot({}, {}, EVER, AccessPolicy(), "UTC", ""), self)


def join(snapshot: Snapshot, directory: Directory) -> World:
    return World(
        documents=snapshot.documents,
        folders=snapshot.folders,
        tenants=directory.tenants,
        principals=directory.principals,
        units=directory.units,
        memberships=directory.memberships,
        guests=directory.guests,
        links=directory.links,
        clock=snapshot.clock,
        policy=snapshot.policy,
        timezone=snapshot.timezone,
        name=snapshot.name,
    )


def load_world(
    snapshot: Path, directory: Path, *, verify: bool = True, now: datetime | None = None
) -> World:
    """Read a snapshot folder and a directory (a file or a folder) that were validated before.

    `now` stands in for the clock of a snapshot that declares none.
    """
    content = load_snapshot(snapshot, verify=verify, now=now)
    return join(content, load_directory(directory, content.timezone))


def load_snapshot(folder: Path, *, verify: bool = True, now: datetime | None = None) -> Snapshot:
    """Read the content half; `verify` compares it with the digest its snapshot.json declares."""
    head_path = folder / "snapshot.json"
    head = _object(head_path, _bytes(head_path))
    _check_schema(head_path, head)
    if head.get("clock") is None and now is None:
        raise InputError.one(
            f"{head_path}: clock",
            "the snapshot declares no clock",
            "",
            "add clock, the instant at which its rights are judged, or set now=… for the run",
        )
    try:
        timezone = str(head.get("timezone") or "UTC")
        declared_clock = head.get("clock")
        clock = now if declared_clock is None and now else parse_instant(declared_clock, timezone)
        policy = shape.read_policy(head.get("policy") or {})
    except (TypeError, AttributeError, ValueError) as error:
        raise InputError.one(str(head_path), f"cannot be read ({error})", "", _WAY_OUT) from error
    snapshot = Snapshot(
        documents=_lines(folder / "documents.jsonl", shape.read_document, "document_id", timezone),
        folders=_lines(folder / "folders.jsonl", shape.read_folder, "folder_id", timezone),
        clock=clock,
        policy=policy,
        timezone=timezone,
        name=str(head.get("name") or ""),
    )
    declared = head.get("digest")
    if verify and declared is not None:
        found = snapshot_digest(snapshot.with_nobody())
        if found != declared:
            raise InputError.one(
                str(folder),
                "its content is not the content its digest names",
                f"{found[:12]}, declared {str(declared)[:12]}",
                "restore the files, or build a new snapshot from what changed",
            )
    return snapshot


def load_directory(path: Path, timezone: str) -> Directory:
    """Read the people half: one JSON file, or a folder with one JSON-lines file per table."""
    if path.is_dir():
        single = path / "directory.json"
        if single.is_file():
            return load_directory(single, timezone)
        tables: dict[str, Any] = {
            name: _rows(path / f"{name}.jsonl") if (path / f"{name}.jsonl").is_file() else []
            for name in TABLES
        }
    else:
        head = _object(path, _bytes(path))
        _check_schema(path, head)
        tables = {
            name: [(f"{path}: {name}[{n}]", row) for n, row in enumerate(head.get(name) or ())]
            for name in TABLES
        }
    return Directory(
        tenants=_records(tables["tenants"], shape.read_tenant, "tenant_id", timezone),
        principals=_records(tables["principals"], shape.read_principal, "principal_id", timezone),
        units=_records(tables["units"], shape.read_unit, "unit_id", timezone),
        memberships=_records(
            tables["memberships"], shape.read_membership, "membership_id", timezone
        ),
        guests=_records(tables["guests"], shape.read_guest, "guest_id", timezone),
        links=_records(tables["links"], shape.read_link, "link_id", timezone),
    )


def write_snapshot(world: World, folder: Path) -> Path:
    """Write the content half into a new folder, whole or not at all; an existing one is refused."""
    head = {**head_lines(world), "name": world.name, "digest": snapshot_digest(world)}
    with new_folder(folder) as partial:
        (partial / "snapshot.json").write_bytes(_pretty(head))
        _write_lines(partial / "documents.jsonl", list(document_lines(world.documents)))
        _write_lines(partial / "folders.jsonl", list(folder_lines(world.folders)))
    return folder


def write_directory(world: World, path: Path) -> Path:
    """Write the people half as one JSON file, whole or not at all."""
    write_file(path, _pretty({"schema": SCHEMA, **directory_tables(world)}))
    return path


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(encode(value), indent=2) + b"\n"


def _write_lines(path: Path, lines: list[bytes]) -> None:
    with path.open("wb") as file:
        for line in lines:
            file.write(line + b"\n")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise InputError.one(
            str(path), f"cannot be opened ({error.strerror})", "", "give the path of a snapshot"
        ) from error


def _object(where: Path, content: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError.one(str(where), f"is not JSON ({error})", "", _WAY_OUT) from error
    if not isinstance(value, dict):
        raise InputError.one(str(where), "is not a JSON object", "", _WAY_OUT)
    return value


def _check_schema(path: Path, head: Mapping[str, Any]) -> None:
    if head.get("schema") != SCHEMA:
        raise InputError.one(
            f"{path}: schema",
            "the version of the file format is not one this kit reads",
            repr(head.get("schema", "nothing")),
            f'write "schema": {SCHEMA}',
        )


def _rows(path: Path) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    # only \n ends a line: U+2028 and its like are text
    for number, line in enumerate(_bytes(path).split(b"\n"), 1):
        if line.strip():
            where = f"{path}:{number}"
            rows.append((where, _object(Path(where), line)))
    return rows


def _lines(path: Path, reader: Reader[Record], key: str, timezone: str) -> dict[str, Record]:
    if path.name == "folders.jsonl" and not path.exists():
        return {}
    return _records(_rows(path), reader, key, timezone)


def _records(
    rows: list[tuple[str, Any]], reader: Reader[Record], key: str, timezone: str
) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for where, row in rows:
        try:
            record = reader(row, timezone)
        except KeyError as error:
            raise InputError.one(where, f"has no {error}", "", _WAY_OUT) from error
        except (TimeError, ValueError, TypeError, AttributeError) as error:
            raise InputError.one(where, f"cannot be read ({error})", "", _WAY_OUT) from error
        record_id: str = getattr(record, key)
        if record_id in records:
            raise InputError.one(
                where, f"{key} stands twice (after NFC)", repr(record_id), _WAY_OUT
            )
        records[record_id] = record
    return records
