"""What do JSON lines, JSON records and JSON mappings say of queries and documents?"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.intake.cells import CellError, read_id
from rageval_kit.intake.files import json_problem
from rageval_kit.intake.table_forms import (
    IDS,
    NAMES,
    VALUES,
    Faults,
    Nothing,
    Purpose,
    columns_of,
    is_utf8,
    plain_name,
    record_chunks,
)

if TYPE_CHECKING:
    import polars as pl

RANKED = ("results", "retrieved")
JUDGED = ("relevant", "relevant_passages", "evidence_tiers")
_GIVEN_MARK = "answerability"


class _DoubledKeyError(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        names = [name for name, _ in pairs]
        doubled = next(name for name in names if names.count(name) > 1)
        raise _DoubledKeyError(f"the key {doubled!r} stands twice")
    return mapping


def read_json(text: str) -> Any:
    """Decode one value; a key that stands twice in an object is an error."""
    value = json.loads(text, object_pairs_hook=_pairs)
    if "\\u" in text:
        # an escaped half of a surrogate pair is text that no UTF-8 file can hold
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


@dataclass(slots=True)
class Objects:
    """Gathers rows out of objects, flat or one per query; what is unclear becomes a fault."""

    purpose: Purpose
    faults: Faults
    positions_used: bool = False
    columns: dict[str, list[Any]] = field(default_factory=dict)
    layouts: dict[tuple[str, ...], dict[str, str] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.columns = {name: [] for name in (*IDS, *VALUES[self.purpose], "line")}

    def frame(self) -> "pl.DataFrame":
        """Give the rows gathered so far, and begin anew."""
        import polars as pl

        text = (*IDS, "tier")
        kinds: dict[str, Any] = {
            name: pl.String if name in text else pl.Float64 for name in self.columns
        }
        kinds["line"] = pl.Int64
        frame = pl.DataFrame(self.columns, schema=kinds)
        self.columns = {name: [] for name in self.columns}
        return frame

    def add(self, value: Any, line: int) -> None:
        """Read one object: one pair, or one query with all its documents."""
        if not isinstance(value, dict):
            self.faults.add(line, "is not an object", value, "write one object per line")
            return
        nested = RANKED if self.purpose == "ranking" else JUDGED
        there = [key for key in value if plain_name(key) in nested]
        if "relevant_passages" in there and "evidence_tiers" in there:
            there.remove("evidence_tiers")  # a grade says more than a tier
        if len(there) > 1:
            self.faults.add(line, "more than one key could list the documents", there, "keep one")
        elif there:
            self._query(value, there[0], line)
        elif self.purpose == "judgments" and _GIVEN_MARK in value:
            return  # a sample without a relevant passage, such as a question to be refused
        else:
            layout = self._layout(value, IDS, line)
            if layout is not None:
                self._row(value, layout, line)

    def mapping(self, value: Mapping[str, Any]) -> None:
        """Read {"q1": {"d1": 1}}; what it holds has no line."""
        known = {plain_name(str(key)) for key in value}
        if all(known.intersection(NAMES[column]) for column in IDS):
            way_out = "write one object per row, in a list"
            self.faults.add(0, "holds columns, not queries", list(value)[:9], way_out)
            return
        for query_id, documents in value.items():
            if not isinstance(documents, dict):
                problem = f"query {query_id!r} has no mapping of its documents"
                self.faults.add(0, problem, documents, 'write {"query": {"document": number}}')
                continue
            self._numbers(query_id, documents, VALUES[self.purpose][0], 0)

    def _numbers(self, query_id: Any, documents: dict[str, Any], role: str, line: int) -> None:
        if (
            role == "tier"
            or type(query_id) is not str
            or {*map(type, documents.values())} != {float}
        ):
            for document_id, number in documents.items():
                self._append(query_id, document_id, {role: number}, line)
            return
        # a ranking of a million pairs: the same, without a look at each
        count = len(documents)
        for name, column in self.columns.items():
            column.extend([None] * count if name not in (*IDS, role, "line") else [])
        self.columns["query_id"].extend([query_id] * count)
        self.columns["document_id"].extend(documents)
        self.columns[role].extend(documents.values())
        self.columns["line"].extend([line] * count)

    def _query(self, value: dict[str, Any], key: str, line: int) -> None:
        queries = [name for name in value if plain_name(name) in NAMES["query_id"]]
        if len(queries) != 1:
            met = queries or list(value)
            self.faults.add(line, "no one key names the query", met, "name it query_id")
            return
        query_id, documents = value[queries[0]], value[key]
        if documents is None and _GIVEN_MARK in value:
            return
        if isinstance(documents, dict) and self.purpose == "judgments":
            role = "tier" if plain_name(key) == "evidence_tiers" else "grade"
            self._numbers(query_id, documents, role, line)
        elif isinstance(documents, list):
            for position, item in enumerate(documents, 1):
                self._item(query_id, item, position, line)
        else:
            self.faults.add(line, f"{key!r} is not a list", documents, "write a list, [] for none")

    def _item(self, query_id: Any, item: Any, position: int, line: int) -> None:
        if isinstance(item, dict):
            layout = self._layout(item, ("document_id",), line)
            if layout is not None:
                self._row({**item, "": query_id}, {**layout, "query_id": ""}, line)
        elif self.purpose == "judgments":
            self._append(query_id, item, {"grade": 1}, line)
        else:
            self.positions_used = True
            self._append(query_id, item, {"rank": position}, line)

    def _layout(
        self, value: dict[str, Any], ids: tuple[str, ...], line: int
    ) -> dict[str, str] | None:
        keys = (*ids, *value)
        layout = self.layouts.get(keys)
        if layout is None:
            found = columns_of(value, self.purpose, self.faults, line, ids)
            if found is None:
                return None
            names = list(value)
            layout = self.layouts[keys] = {role: names[place] for role, place in found.items()}
        return layout

    def _row(self, value: dict[str, Any], layout: dict[str, str], line: int) -> None:
        values = {role: value[layout[role]] for role in VALUES[self.purpose] if role in layout}
        self._append(value[layout["query_id"]], value[layout["document_id"]], values, line)

    def _append(self, query_id: Any, document_id: Any, values: dict[str, Any], line: int) -> None:
        cells: dict[str, Any] = {"line": line}
        for role, met in (("query_id", query_id), ("document_id", document_id)):
            try:
                cells[role] = met if type(met) is str else read_id(met)
            except CellError as error:
                there = Nothing() if met is None else met
                self.faults.add(line, f"the {role} {error.rule}", there, error.way_out)
                return
        for role in VALUES[self.purpose]:
            met = values.get(role)
            word = met if type(met) is str else None
            cells[role] = word if role == "tier" else _number(met)
            if met is not None and cells[role] is None:
                pair = f"query {query_id!r}, document {document_id!r}"
                kind = "word" if role == "tier" else "number"
                problem = f"the {role} of {pair} is not a {kind}"
                self.faults.add(line, problem, met, f"write it as a {kind} of JSON")
                return
        for name, column in self.columns.items():
            column.append(cells[name])


def _number(value: Any) -> float | None:
    if type(value) not in (int, float):
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf")


def _is_record(value: dict[str, Any]) -> bool:
    """Whether an object says all of one query, and is not a mapping of queries."""
    names = {plain_name(key) for key in value}
    listed = any(plain_name(key) in (*RANKED, *JUDGED) for key in value)
    flat = not any(isinstance(item, dict) for item in value.values())
    return bool(names.intersection(NAMES["query_id"])) and (listed or flat)


def json_frames(path: Path, objects: Objects) -> Iterator["pl.DataFrame"]:
    """One file that is one value, read whole: a mapping, a list of objects, or one object."""
    faults = objects.faults
    content = b"".join(chunk for _, chunk in record_chunks(path, quoted=False))
    if not content.strip() or not is_utf8(content, 1, faults):
        return
    try:
        value = read_json(content.decode())
    except (ValueError, RecursionError) as error:
        way_out = "mend the file; objects one per line belong in a .jsonl file"
        faults.add(getattr(error, "lineno", 0), json_problem(error), None, way_out)
        return
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            objects.add(item, number)
    elif isinstance(value, dict) and not _is_record(value):
        objects.mapping(value)
    else:
        objects.add(value, 1)
    yield objects.frame()
