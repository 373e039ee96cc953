"""The rows of a world taken from a folder, or from one file written by hand."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rageval_kit.intake.files import Row, read_json, read_jsonl, read_rows
from rageval_kit.intake.heads import check_schema
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.intake.tables import DIRECTORY_TABLES, SNAPSHOT_TABLES, TableSpec

HEAD_KEYS = ("schema", "name", "clock", "timezone", "policy", "digest")


@dataclass(slots=True)
class WorldRows:
    """`head` is what snapshot.json says; a table that no file brought is absent from `tables`."""

    head: Row | None = None
    tables: dict[str, list[Row]] = field(default_factory=dict)


def read_world_rows(snapshot: Path | None, directory: Path | None, faults: Collector) -> WorldRows:
    """Read what is there: a snapshot folder or a world file, and a directory file or folder."""
    rows = WorldRows()
    if snapshot is not None:
        if snapshot.is_dir():
            _read_snapshot_folder(snapshot, rows, faults)
        else:
            _read_one_file(snapshot, rows, faults, (*SNAPSHOT_TABLES, *DIRECTORY_TABLES), head=True)
    if directory is not None:
        if directory.is_dir() and (directory / "directory.json").is_file():
            directory /= "directory.json"
        if directory.is_dir():
            names = [f"{spec.name}.jsonl" for spec in DIRECTORY_TABLES]
            if not any((directory / name).exists() for name in names):
                rule, way_out = "holds no people", f"put directory.json or {names[0]}, … in it"
                faults.fault(str(directory), 0, "", None, rule, way_out)
            for spec in DIRECTORY_TABLES:
                path = directory / f"{spec.name}.jsonl"
                rows.tables[spec.name] = read_jsonl(path, faults) if path.exists() else []
        else:
            _read_one_file(directory, rows, faults, DIRECTORY_TABLES, head=False)
    return rows


def _read_snapshot_folder(folder: Path, rows: WorldRows, faults: Collector) -> None:
    heads = read_json(folder / "snapshot.json", faults)
    if heads:
        rows.head = heads[0]
        _check_head(rows.head, (), faults)
    for spec in SNAPSHOT_TABLES:
        path = folder / f"{spec.name}.jsonl"
        # a corpus need not have folders; it must have documents, be it an empty file
        missing = spec.name == "folders" and not path.exists()
        rows.tables[spec.name] = [] if missing else read_jsonl(path, faults)


def _read_one_file(
    path: Path, rows: WorldRows, faults: Collector, specs: tuple[TableSpec, ...], *, head: bool
) -> None:
    before = len(faults.faults)
    objects = read_rows(path, faults)
    names = tuple(spec.name for spec in specs)
    if not objects:
        if len(faults.faults) == before:
            rule, way_out = "holds nothing", f"write schema and any of {', '.join(names)}"
            faults.fault(str(path), 0, "", None, rule, way_out)
        return
    top = objects[0]
    if not _check_head(top, names, faults, is_snapshot=head):
        return
    if len(objects) > 1:
        rule, way_out = "is more than one object", "write one object for the whole file"
        faults.fault(objects[1].file, objects[1].line, "", None, rule, way_out)
    if not head:
        _check_people(top, names, faults)
    if head:
        rows.head = Row(top.file, top.line, {k: v for k, v in top.data.items() if k not in names})
    brings_people = any(spec.name in top.data for spec in DIRECTORY_TABLES)
    for spec in specs:
        value = top.data.get(spec.name)
        if value is None:
            if spec in SNAPSHOT_TABLES or brings_people or not head:
                rows.tables.setdefault(spec.name, [])
        elif isinstance(value, list):
            rows.tables[spec.name] = [
                Row(f"{top.file}: {spec.name}[{n}]", 0, item)
                if not (isinstance(item, Mapping) and None in item)
                else Row(top.file, item[None], item)
                for n, item in enumerate(value)
            ]
        else:
            faults.fault(top.file, top.line, spec.name, value, "is not a list", "write a list")


def _check_people(top: Row, names: tuple[str, ...], faults: Collector) -> None:
    if "schema" in top.data:
        check_schema(top, faults)
    if not any(name in top.data for name in names):
        rule, way_out = "names nobody", f"write any of {', '.join(names)}"
        faults.fault(top.file, top.line, "", None, rule, way_out)


def _check_head(
    row: Row, names: tuple[str, ...], faults: Collector, *, is_snapshot: bool = True
) -> bool:
    if not isinstance(row.data, Mapping):
        faults.fault(row.file, row.line, "", row.data, "is not an object", "write one")
        return False
    known = (*HEAD_KEYS, *names) if is_snapshot else ("schema", *names)
    for key in row.data:
        if key is not None and key not in known:
            rule = "is no key of this file"
            faults.fault(row.file, row.line, str(key), None, rule, nearest(str(key), known))
    return True


def plain(value: Any) -> Any:
    """Take the line marks out of what YAML gave."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items() if key is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
