"""A world or a set of samples judged whole: every fault at once, or the records it holds."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rageval_kit.corpus import shape
from rageval_kit.corpus.digests import snapshot_digest
from rageval_kit.corpus.snapshots import Directory, Snapshot, join
from rageval_kit.intake import relations
from rageval_kit.intake.consistency import check_relations
from rageval_kit.intake.files import Row
from rageval_kit.intake.flatten import Flattener, Table
from rageval_kit.intake.heads import read_head
from rageval_kit.intake.report import Collector, Report
from rageval_kit.intake.samples import check_samples, read_sample_rows
from rageval_kit.intake.schemas import check_table
from rageval_kit.intake.tables import DIRECTORY_TABLES, DOCUMENTS, SNAPSHOT_TABLES
from rageval_kit.intake.worlds import WorldRows, read_world_rows
from rageval_kit.records.world import World

_READERS: Mapping[str, Callable[[Mapping[str, Any], str], Any]] = {
    "documents": shape.read_document,
    "folders": shape.read_folder,
    "tenants": shape.read_tenant,
    "principals": shape.read_principal,
    "units": shape.read_unit,
    "memberships": shape.read_membership,
    "guests": shape.read_guest,
    "links": shape.read_link,
}
# Ids that a file may leave out, and what is then taken for them.
_DERIVED: Mapping[str, tuple[str, str, str]] = {
    "membership_id": ("{}/{}", "unit", "member"),
    "guest_id": ("{}@{}", "principal", "tenant"),
}


def validate(
    snapshot: Path | None = None,
    directory: Path | None = None,
    samples: Path | None = None,
    *,
    timezone: str | None = None,
    drop_invalid: bool = False,
) -> Report:
    """Judge the files without writing anything; `report.refuse_faults()` turns faults into exit 2.

    `timezone` is for a directory or samples judged without their snapshot. `drop_invalid` leaves
    out samples and whole documents that have faults, and counts them; nothing else can be dropped,
    for without one entry or membership the rest would mean something else.
    """
    faults = Collector()
    counts: dict[str, int] = {}
    unchecked: list[str] = []
    droppable: set[tuple[str, int]] = set()
    zone_name = timezone or "UTC"
    chunk_ids: frozenset[str] | None = None
    if snapshot is not None or directory is not None:
        rows = read_world_rows(snapshot, directory, faults)
        report, world = check_world(rows, faults, timezone=timezone, drop_invalid=drop_invalid)
        if samples is None:
            return report
        counts.update(report.rows_checked)
        unchecked.extend(report.unchecked)
        droppable.update(_place(row) for row in rows.tables.get(DOCUMENTS.name, ()))
        if world is not None:
            zone_name = world.timezone
            chunk_ids = _chunk_ids(world) if snapshot is not None else None
    if samples is not None:
        sample_rows = read_sample_rows(samples, faults)
        counts["samples"] = len(sample_rows)
        check_samples(sample_rows, faults, timezone=zone_name, chunk_ids=chunk_ids)
        droppable.update(_place(row) for row in sample_rows)
    return finished(faults, counts, unchecked, droppable, drop=drop_invalid)


def _chunk_ids(world: World) -> frozenset[str]:
    return frozenset(
        chunk.chunk_id
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    )


def check_world(
    rows: WorldRows,
    faults: Collector,
    *,
    timezone: str | None = None,
    drop_invalid: bool = False,
) -> tuple[Report, World | None]:
    """Judge the rows of a world; the world itself comes back only where nothing is wrong."""
    head = read_head(rows.head, faults, timezone) if rows.head else None
    zone_name = head.timezone if head else (timezone or "UTC")
    flattener = Flattener(zone_name, faults)
    clean: dict[str, list[tuple[Row, dict[str, Any]]]] = {}
    for spec in (*SNAPSHOT_TABLES, *DIRECTORY_TABLES):
        if spec.name in rows.tables:
            flattener.table(spec)
            clean[spec.name] = [(row, flattener.add(spec, row)) for row in rows.tables[spec.name]]
    _derive_ids(flattener.tables)
    for table in flattener.tables.values():
        check_table(table, faults)
        if table.spec.key:
            relations.check_unique(table, table.spec.key, faults)
    unchecked = check_relations(flattener.tables, head.policy if head else None, faults)
    counts = {name: len(table) for name, table in flattener.tables.items()}
    documents = {_place(row) for row in rows.tables.get(DOCUMENTS.name, ())}
    report = finished(faults, counts, unchecked, documents, drop=drop_invalid)
    if report.faults or (rows.head is not None and head is None):
        return report, None
    gone = set(report.dropped)
    records = {
        name: {
            getattr(record, _key(name)): record
            for row, line in pairs
            if name != DOCUMENTS.name or _place(row) not in gone
            for record in (_READERS[name](line, zone_name),)
        }
        for name, pairs in clean.items()
    }
    people = Directory(*(records.get(spec.name, {}) for spec in DIRECTORY_TABLES))
    if head is None:
        return report, people.with_nothing()
    content = Snapshot(
        records.get("documents", {}),
        records.get("folders", {}),
        head.clock,
        head.policy,
        head.timezone,
        head.name,
    )
    world = join(content, people)
    declared = rows.head.data.get("digest") if rows.head else None
    if rows.head is not None and declared is not None and not gone:
        found = snapshot_digest(world)
        if found != declared:
            rule = f"the content is not the content this digest names ({found[:12]} found)"
            way_out = "restore the files, or take digest out and build a new snapshot"
            faults.fault(rows.head.file, rows.head.line, "digest", declared, rule, way_out)
            return finished(faults, counts, unchecked, documents, drop=False), None
    return report, world


def finished(
    faults: Collector,
    counts: Mapping[str, int],
    unchecked: list[str],
    droppable: set[tuple[str, int]],
    *,
    drop: bool,
) -> Report:
    """Close the books; with `drop`, droppable rows leave together with their faults."""
    found = faults.ordered()
    files = {file for file, _ in droppable}
    # a line that was no JSON is no row, but belongs to a file whose rows may be dropped
    forgiven = [
        fault
        for fault in found
        if drop and ((fault.file, fault.row) in droppable or (fault.row and fault.file in files))
    ]
    kept_faults = set(found).difference(forgiven)
    dropped = {(fault.file, fault.row) for fault in forgiven}
    return Report(
        rows_checked=dict(counts),
        faults=tuple(fault for fault in found if fault in kept_faults),
        warnings=tuple(faults.warnings.values()),
        unchecked=tuple(unchecked),
        dropped=tuple(sorted(dropped)),
        forgiven=tuple(forgiven),
        kept=len(droppable - dropped),
    )


def _place(row: Row) -> tuple[str, int]:
    line = row.data.get(None, row.line) if isinstance(row.data, Mapping) else row.line
    return row.file, line


def _key(name: str) -> str:
    return "tenant_id" if name == "tenants" else f"{name.removesuffix('s')}_id"


def _derive_ids(tables: Mapping[str, Table]) -> None:
    for name, (pattern, first, second) in _DERIVED.items():
        for table in tables.values():
            if name in table.columns:
                ids = table.columns[name]
                for index, value in enumerate(ids):
                    if value is None:
                        parts = table.columns[first][index], table.columns[second][index]
                        ids[index] = pattern.format(*parts) if all(parts) else None
    chunks, versions = tables.get("chunks"), tables.get("versions")
    if chunks is not None and versions is not None:
        number, before = 0, -1
        for index, parent in enumerate(chunks.parents):
            number = number + 1 if parent == before else 1
            before = parent
            version_id = versions.columns["version_id"][parent]
            if chunks.columns["chunk_id"][index] is None and version_id is not None:
                chunks.columns["chunk_id"][index] = f"{version_id}#{number}"


def read_and_check(snapshot: Path, directory: Path | None = None) -> tuple[Report, World | None]:
    """Read and judge a world; the world is None where anything is wrong."""
    faults = Collector()
    return check_world(read_world_rows(snapshot, directory, faults), faults)
