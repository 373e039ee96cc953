"""Nested rows laid out as flat tables with the place of every cell."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rageval_kit.corpus.times import EVER, format_instant
from rageval_kit.intake.cells import (
    TIMES,
    CellError,
    Kind,
    read_flag,
    read_id,
    read_ids,
    read_number,
    read_pairs,
    read_text,
    read_time,
    time_text,
)
from rageval_kit.intake.files import Row
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.intake.tables import DOCUMENTS, Column, Nested, TableSpec

_WAYS_OUT: Mapping[str, str] = {
    "entries": "write the list of who may read; [] means nobody",
    "states": "write the history, or the one state it is in, such as published",
    "chunks": "write its passages; [] where it has none",
    "versions": "write at least one",
}


@dataclass(slots=True)
class Table:
    """Parallel columns. `parents[i]` is the row of the table that holds row `i`; -1: none."""

    spec: TableSpec
    columns: dict[str, list[Any]]
    files: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.files)

    def place(self, index: int, column: str) -> tuple[str, int, str]:
        return self.files[index], self.lines[index], self.paths[index] + column


@dataclass(slots=True)
class Flattener:
    """Fills the tables row by row; `timezone` gives bare dates their day."""

    timezone: str
    faults: Collector
    tables: dict[str, Table] = field(default_factory=dict)
    # (file, line) of every part of a record -> where the records begin that have a part there
    owners: dict[tuple[str, int], set[tuple[str, int]]] = field(default_factory=dict)
    _root: tuple[str, int] | None = None

    def table(self, spec: TableSpec) -> Table:
        found = self.tables.get(spec.name)
        if found is None:
            found = Table(spec, {column.name: [] for column in spec.columns})
            self.tables[spec.name] = found
            for nested in spec.nested:
                self.table(nested.table)
        return found

    def add(self, spec: TableSpec, row: Row) -> dict[str, Any]:
        """Lay out one record with all it holds; give it back with every cell read."""
        self._root = place_of(row) if spec is DOCUMENTS else None
        return self._add(spec, row.data, row.file, row.line, "", -1)

    def _add(
        self, spec: TableSpec, data: Any, file: str, line: int, path: str, parent: int
    ) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            if self._root is not None:
                self.owners.setdefault((file, line), set()).add(self._root)
            rule, way_out = "is not an object", f"write one with {', '.join(spec.keys)}"
            self.faults.fault(file, line, path.rstrip("."), data, rule, way_out)
            return {}
        line = data.get(None, line)
        if not spec.known.issuperset(data):
            for key in data:
                if key not in spec.known:
                    rule = f"is no column of {spec.name}"
                    way_out = nearest(str(key), spec.keys)
                    self.faults.fault(file, line, f"{path}{key}", None, rule, way_out)
        if self._root is not None:
            self.owners.setdefault((file, line), set()).add(self._root)
        table = self.table(spec)
        index = len(table)
        table.files.append(file)
        table.lines.append(line)
        table.paths.append(path)
        table.parents.append(parent)
        clean: dict[str, Any] = {}
        for column in spec.columns:
            name = column.name
            value = data.get(name)
            cell: Any = None
            if value is not None:
                try:
                    cell, clean[name] = self._read(column, value)
                except CellError as error:
                    place = f"{path}{name}"
                    self.faults.fault(file, line, place, value, error.rule, error.way_out)
            table.columns[name].append(cell)
        for nested in spec.nested:
            clean[nested.name] = self._nested(nested, data, file, line, path, index)
        return clean

    def _read(self, column: Column, value: Any) -> tuple[Any, Any]:
        kind = column.kind
        cell: Any
        if kind is Kind.ID:
            cell = read_id(value)
        elif kind is Kind.TEXT or kind is Kind.WORD:
            cell = read_text(value)
        elif kind in TIMES:
            text = time_text(value)
            instant: datetime = read_time(kind, text, self.timezone)
            return instant, text
        elif kind is Kind.FLAG:
            cell = read_flag(value)
        elif kind is Kind.NUMBER:
            cell = read_number(value)
        elif kind is Kind.PAIRS:
            pairs = read_pairs(value)
            return json.dumps(pairs, ensure_ascii=False), pairs
        else:
            cell = read_ids(value)
        return cell, cell

    def _nested(
        self, nested: Nested, data: Mapping[Any, Any], file: str, line: int, path: str, index: int
    ) -> list[dict[str, Any]]:
        value = data.get(nested.name)
        place = f"{path}{nested.name}"
        way_out = _WAYS_OUT.get(nested.name, "write a list")
        if value is None:
            if nested.required:
                self.faults.fault(file, line, place, None, "is missing", way_out)
            return []
        if nested.name == "states" and isinstance(value, str):
            # the short form: in this state for as long as the version has been recorded
            value = [{"at": data.get("recorded_from") or format_instant(EVER), "state": value}]
        if not isinstance(value, list):
            self.faults.fault(file, line, place, value, "is not a list", way_out)
            return []
        if nested.name == "versions" and not value:
            self.faults.fault(file, line, place, None, "is empty", way_out)
        return [
            self._add(nested.table, item, file, line, f"{place}[{n}].", index)
            for n, item in enumerate(value)
        ]


def place_of(row: Row) -> tuple[str, int]:
    """Tell where a record begins; a YAML mapping carries its own line."""
    line = row.data.get(None, row.line) if isinstance(row.data, Mapping) else row.line
    return row.file, line
