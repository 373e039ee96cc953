"""A content-addressed snapshot built from whatever people bring: tables, pages, a world by hand."""

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rageval_kit.corpus.digests import SCHEMA, directory_digest, snapshot_digest
from rageval_kit.corpus.snapshots import write_directory, write_snapshot
from rageval_kit.intake.archives import is_archive, unpack
from rageval_kit.intake.chunking import MAX_CHARS
from rageval_kit.intake.files import Row, read_rows
from rageval_kit.intake.flat import Mapped, documents_of
from rageval_kit.intake.history import History, read_history
from rageval_kit.intake.pages import read_pages
from rageval_kit.intake.report import Collector, Report
from rageval_kit.intake.validate import check_world
from rageval_kit.intake.worlds import WorldRows, read_world_rows
from rageval_kit.records.faults import InputError

_SHORT = 12


@dataclass(frozen=True, slots=True)
class Built:
    """`directory` is None where the source brought no people."""

    folder: Path
    digest: str
    report: Report
    directory: Path | None = None


def build_snapshot(  # noqa: PLR0913 - each is one thing a person may say about a source
    source: Path,
    out: Path,
    *,
    name: str,
    clock: str | None = None,
    timezone: str | None = None,
    policy: Mapping[str, Any] | None = None,
    directory: Path | None = None,
    columns: Mapping[str, str] | None = None,
    ignore: Iterable[str] = (),
    defaults: Mapping[str, Any] | None = None,
    max_chars: int = MAX_CHARS,
    drop_invalid: bool = False,
    history: History | None = None,
) -> Built:
    """Build `out/<name>-<digest>` from a table, a folder of pages, an archive or a world file.

    With `history` the source is a git repository, and each commit of a file is a version.
    The clock, time zone and policy come from the source where it declares them. The same content
    gives the same folder; one that exists and is intact is given back as it is.
    """
    if not name or name != Path(name).name or name in (".", ".."):
        way_out = "give a plain name without / or \\"
        raise InputError.one("name", "cannot be part of a folder's name", repr(name), way_out)
    if is_archive(source):
        with tempfile.TemporaryDirectory(prefix="rageval-intake-") as temporary:
            unpacked = unpack(source, Path(temporary) / "archive")
            inner = [item for item in unpacked.iterdir() if not item.name.startswith(".")]
            only = inner[0] if len(inner) == 1 else unpacked
            return build_snapshot(
                only,
                out,
                name=name,
                clock=clock,
                timezone=timezone,
                policy=policy,
                directory=directory,
                columns=columns,
                ignore=ignore,
                defaults=defaults,
                max_chars=max_chars,
                drop_invalid=drop_invalid,
                history=history,
            )
    faults = Collector()
    mapped = Mapped(columns or {}, frozenset(ignore), defaults or {}, max_chars, timezone or "UTC")
    if history is None:
        rows = _read(source, directory, mapped, faults)
    else:
        rows = read_world_rows(None, directory, faults)
        rows.tables["documents"], newest = read_history(source, history, mapped, faults)
        rows.tables["folders"] = []
        clock = clock or newest
    _declare(rows, source, {"clock": clock, "timezone": timezone, "policy": policy, "name": name})
    report, world = check_world(rows, faults, drop_invalid=drop_invalid)
    report.refuse_faults()
    if world is None:
        raise InputError.one(str(source), "holds no world", "", "check what the file contains")
    digest = snapshot_digest(world)
    folder = out / f"{name}-{digest[:_SHORT]}"
    if folder.exists() and snapshot_digest(folder) == digest:
        pass  # the same content under its own name: there is nothing to write
    else:
        write_snapshot(world, folder)
    people = None
    if world.principals or world.tenants:
        people = out / f"{name}-directory-{directory_digest(world)[:_SHORT]}.json"
        if not people.exists():
            write_directory(world, people)
    return Built(folder, digest, report, people)


def _read(source: Path, directory: Path | None, mapped: Mapped, faults: Collector) -> WorldRows:
    if source.is_dir():
        if (source / "snapshot.json").exists():
            return read_world_rows(source, directory, faults)
        flat = read_pages(source, faults)
    elif source.suffix.lower() in (".yaml", ".yml", ".json"):
        rows = read_rows(source, faults)
        if rows and isinstance(rows[0].data, Mapping) and "documents" in rows[0].data:
            return read_world_rows(source, directory, faults)
        flat = rows
    else:
        flat = read_rows(source, faults)
    world = read_world_rows(None, directory, faults)
    nested = bool(flat) and all(
        isinstance(row.data, Mapping) and "versions" in row.data for row in flat
    )
    world.tables["documents"] = flat if nested else documents_of(flat, mapped, faults)
    world.tables.setdefault("folders", [])
    return world


def _declare(rows: WorldRows, source: Path, said: Mapping[str, Any]) -> None:
    """Let the caller's words fill what the source leaves open; a source's own clock stands."""
    head = dict(rows.head.data) if rows.head is not None else {"schema": SCHEMA}
    for key, value in said.items():
        if value is not None and (head.get(key) is None or key == "name"):
            head[key] = value
    place = rows.head or Row(str(source), 0, {})
    rows.head = Row(place.file, place.line, head)
