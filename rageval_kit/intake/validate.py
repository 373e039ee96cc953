"""A world or a set of samples judged whole: every fault at once, or the records it holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rageval_kit.corpus import shape
from rageval_kit.corpus.digests import snapshot_digest
from rageval_kit.corpus.snapshots import Directory, Snapshot, join
from rageval_kit.intake import relations
from rageval_kit.intake.consistency import check_relations
from rageval_kit.intake.files import Row
from rageval_kit.intake.flatten import Flattener, Table, place_of
from rageval_kit.intake.heads import read_head
from rageval_kit.intake.report import Collector, Report, RowFault
from rageval_kit.intake.samples import check_samples, read_sample_rows
from rageval_kit.intake.schemas import check_table
from rageval_kit.intake.succession import end_superseded
from rageval_kit.intake.tables import DIRECTORY_TABLES, DOCUMENTS, SNAPSHOT_TABLES
from rageval_kit.intake.worlds import WorldRows, read_world_rows
from rageval_kit.records.world import World

_Place = tuple[str, int]

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
    about_world: Report | None = None
    zone_name = timezone or "UTC"
    chunk_ids: frozenset[str] | None = None
    if snapshot is not None or directory is not None:
        faults = Collector()
        rows = read_world_rows(snapshot, directory, faults)
        about_world, world = check_world(rows, faults, timezone=timezone, drop_invalid=drop_invalid)
        if world is not None:
            zone_name = world.timezone
            chunk_ids = _chunk_ids(world) if snapshot is not None else None
    if samples is None:
        return about_world or Report({})
    faults = Collector()
    sample_rows = read_sample_rows(samples, faults)
    check_samples(sample_rows, faults, timezone=zone_name, chunk_ids=chunk_ids)
    owners = {place_of(row): {place_of(row)} for row in sample_rows}
    about_samples = _finished(
        faults,
        {"samples": len(sample_rows)},
        [],
        _Droppable(owners, frozenset({str(samples)}), drop=True)
        if drop_invalid
        else _Droppable(owners),
    )
    return about_world.joined(about_samples) if about_world else about_samples


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
    if DOCUMENTS.name in clean:
        lines = [line for _, line in clean[DOCUMENTS.name]]
        end_superseded(flattener.tables["versions"], lines, faults)
    for table in flattener.tables.values():
        check_table(table, faults)
        if table.spec.key:
            relations.check_unique(table, table.spec.key, faults)
    unchecked = check_relations(flattener.tables, head.policy if head else None, faults)
    counts = {name: len(table) for name, table in flattener.tables.items()}
    droppable = _Droppable(flattener.owners)
    if drop_invalid:
        others = {row.file for name, of in rows.tables.items() for row in of if name != "documents"}
        files = {row.file for row in rows.tables.get(DOCUMENTS.name, ())} - others
        droppable = _Droppable(
            flattener.owners, frozenset(files - {rows.head.file if rows.head else ""}), drop=True
        )
    report = _finished(faults, counts, unchecked, droppable)
    if report.faults or (rows.head is not None and head is None):
        return report, None
    gone = set(report.dropped)
    records = {
        name: {
            getattr(record, _key(name)): record
            for row, line in pairs
            if name != DOCUMENTS.name or place_of(row) not in gone
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
            return _finished(faults, counts, unchecked, _Droppable({})), None
    return report, world


@dataclass(frozen=True, slots=True)
class _Droppable:
    """Whose rows may be left out: `owners` maps the place of a part to the records that have it.

    A line of `files` that is part of no record was no JSON; it is left out like a bad record.
    """

    owners: Mapping[_Place, set[_Place]]
    files: frozenset[str] = frozenset()
    drop: bool = False

    def owner_of(self, fault: RowFault) -> set[_Place]:
        place = (fault.file, fault.row)
        if not self.drop:
            return set()
        return self.owners.get(place) or (
            {place} if fault.file in self.files and fault.row else set()
        )


def _finished(
    faults: Collector, counts: Mapping[str, int], unchecked: list[str], droppable: _Droppable
) -> Report:
    """Close the books; records that may be dropped leave together with their faults."""
    kept: list[RowFault] = []
    forgiven: list[RowFault] = []
    dropped: set[_Place] = set()
    for fault in faults.ordered():
        owners = droppable.owner_of(fault)
        dropped |= owners
        (forgiven if owners else kept).append(fault)
    records: set[_Place] = set().union(*droppable.owners.values())
    return Report(
        rows_checked=dict(counts),
        faults=tuple(kept),
        warnings=tuple(faults.warnings.values()),
        unchecked=tuple(unchecked),
        dropped=tuple(sorted(dropped)),
        forgiven=tuple(forgiven),
        kept=len(records - dropped),
    )


def _key(name: str) -> str:
    return f"{name.removesuffix('s')}_id"


def _derive_ids(tables: Mapping[str, Table]) -> None:
    """Fill in the ids that a file may leave out, as reading the files will."""
    for name, (pattern, first, second) in _DERIVED.items():
        for table in tables.values():
            ids = table.columns.get(name, [])
            for index, value in enumerate(ids):
                parts = (
                    ()
                    if value is not None
                    else (
                        table.columns[first][index],
                        table.columns[second][index],
                    )
                )
                if parts and all(parts):
                    ids[index] = pattern.format(*parts)
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
