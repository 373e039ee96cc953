"""In which form does a file hold judgments or a ranking, and which column is which?"""

import csv
import heapq
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from rageval_kit.intake.byte_blocks import BOM, unpacked
from rageval_kit.intake.report import shown
from rageval_kit.records.faults import Fault, InputError

Purpose = Literal["judgments", "ranking"]
Format = Literal["csv", "tsv", "jsonl", "json", "parquet", "folder", "given", "trec"]

NAMES: Mapping[str, tuple[str, ...]] = {
    "query_id": ("query_id", "query", "qid", "q_id"),
    "document_id": (
        *("document_id", "doc_id", "docid", "doc", "docno", "corpus_id"),
        *("passage_id", "chunk_id", "pid", "did"),
    ),
    "grade": ("grade", "relevance", "rel", "relevance_grade", "label", "score"),
    "tier": ("tier", "evidence_tier"),
    "score": ("score", "similarity"),
    "rank": ("rank",),
}
IDS = ("query_id", "document_id")
VALUES: Mapping[Purpose, tuple[str, str]] = {
    "judgments": ("grade", "tier"),
    "ranking": ("score", "rank"),
}

_PACKINGS = (".gz", ".zst")
_BY_NAME: Mapping[str, Format] = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".parq": "parquet",
    ".pq": "parquet",
}
_TREC_LINE = re.compile(r"\S+\s+\S+\s+\S+\s+-?\d+|\S+\s+\S+\s+\S+\s+\d+\s+[-+.\deE]+\s+\S+")
_PEEK = 1 << 16
_PIECE = 1 << 25
_LONGEST_RECORD = 1 << 26
_SHOWN_FAULTS = 50


class Nothing:
    """What is met in an empty cell, or as null."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What was read, in which form, and what the reader had to decide: sentences for the report."""

    path: Path
    format: Format
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Faults:
    """The first 50 faults of one file by line, and how many there are in all."""

    path: Path
    count: int = 0
    first: list[tuple[int, int, Fault]] = field(default_factory=list)

    def add(self, line: int, problem: str, met: Any = None, way_out: str = "") -> None:
        self.count += 1
        where = f"{self.path}:{line}" if line else str(self.path)
        self.first.append((line, self.count, Fault(where, problem, shown(met), way_out)))
        if len(self.first) > 2 * _SHOWN_FAULTS:
            self.first = heapq.nsmallest(_SHOWN_FAULTS, self.first)

    def add_all(self, rows: Sequence[tuple[int, Any]], problem: str, way_out: str) -> None:
        """Add a fault for each (line, value met); past the first 50 they are only counted."""
        for line, met in rows[:_SHOWN_FAULTS]:
            self.add(line, problem, Nothing() if met is None else met, way_out)
        self.count += len(rows[_SHOWN_FAULTS:])

    def refuse(self) -> None:
        """Raise InputError if anything was wrong."""
        if not self.count:
            return
        first = [fault for _, _, fault in heapq.nsmallest(_SHOWN_FAULTS, self.first)]
        more = self.count - len(first)
        rest = [Fault(str(self.path), f"and {more} more")] if more else []
        raise InputError([*first, *rest])


def is_table(path: Path) -> bool:
    """Whether a file is read here, not as TREC text."""
    return format_of(path) != "trec"


def format_of(path: Path) -> Format:
    """Name the form by the file's name, or by its first bytes where the name says nothing."""
    if path.is_dir():
        return "folder"
    named = _BY_NAME.get(_bare_suffix(path))
    if named in ("csv", "jsonl", "parquet"):
        return named
    return _by_content(next(unpacked(path, _PEEK), b"").removeprefix(BOM), named)


def _by_content(start: bytes, named: Format | None) -> Format:
    if start.startswith(b"PAR1"):
        return "parquet"
    text = start.decode("utf-8", "replace").lstrip()
    if named == "json" or text.startswith(("{", "[")):
        return _json_kind(text)
    line = text.partition("\n")[0].rstrip("\r")
    separator = header_separator(line)
    if separator:
        return "tsv" if separator == "\t" else "csv"
    return "tsv" if named == "tsv" and text and not _TREC_LINE.fullmatch(line) else "trec"


def _json_kind(text: str) -> Format:
    """Objects one per line, or one value: a first line that is whole and is not the last."""
    line, _, rest = text.partition("\n")
    if not rest.strip() or not line.startswith("{"):
        return "json"
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return "json"
    return "jsonl"


def _bare_suffix(path: Path) -> str:
    name = path.name.lower()
    return Path(name.removesuffix(_packing(path))).suffix


def _packing(path: Path) -> str:
    return next((p for p in _PACKINGS if path.name.lower().endswith(p)), "")


def header_separator(line: str) -> str:
    """The separator under which a line names a query and a document column; '' if it does not."""
    for separator in (",", "\t", ";"):
        names = {plain_name(name) for name in header_cells(line, separator)}
        if all(names.intersection(NAMES[column]) for column in IDS):
            return separator
    return ""


def header_cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []


def plain_name(name: str) -> str:
    """A column's name without what people vary: case, hyphens, blanks around it."""
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def columns_of(
    names: Iterable[str], purpose: Purpose, faults: Faults, line: int, ids: tuple[str, ...] = IDS
) -> dict[str, int] | None:
    """The place of each column that is read, by what it holds; None (and faults) if unclear."""
    listed = list(names)
    plain = [plain_name(name) for name in listed]
    found: dict[str, int] = {}
    clear = True
    for role in (*ids, *VALUES[purpose]):
        places = [n for n, name in enumerate(plain) if name in NAMES[role]]
        if len(places) > 1:
            both = [listed[n] for n in places]
            way_out = "keep one of them, or rename what is something else"
            faults.add(line, f"more than one column could be the {role}", both, way_out)
            clear = False
        elif places:
            found[role] = places[0]
    if "grade" in found:
        found.pop("tier", None)
    for role in (r for r in ids if r not in found and clear):
        _missing(role, NAMES[role], listed, faults, line)
    wanted = VALUES[purpose]
    if clear and not any(role in found for role in wanted):
        names_of_value = (*NAMES[wanted[0]], *NAMES[wanted[1]])
        _missing(f"{wanted[0]} or {wanted[1]}", names_of_value, listed, faults, line)
        return None
    return found if clear and all(role in found for role in ids) else None


def _missing(role: str, known: Sequence[str], listed: list[str], faults: Faults, line: int) -> None:
    way_out = f"name it {', '.join(known[:-1])} or {known[-1]}"
    faults.add(line, f"no column holds the {role}", listed, way_out)


def record_chunks(path: Path, *, quoted: bool) -> Iterator[tuple[int, bytes]]:
    """Whole records in chunks, each with its first line; `quoted`: a cell may hold line ends."""
    rest, line, start = b"", 1, True
    for piece in unpacked(path, _PIECE):
        data = rest + (piece.removeprefix(BOM) if start else piece)
        start = False
        cut = _last_end(data, quoted=quoted)
        chunk, rest = data[:cut], data[cut:]
        if len(rest) > _LONGEST_RECORD:
            line += chunk.count(b"\n")
            problem = f"a record goes on for more than {_LONGEST_RECORD} bytes"
            raise InputError.one(f"{path}:{line}", problem, way_out="close the quote, if it is one")
        if chunk:
            yield line, chunk
            line += chunk.count(b"\n")
    if rest:
        yield line, rest


def _last_end(data: bytes, *, quoted: bool) -> int:
    cut = data.rfind(b"\n") + 1
    if not quoted or data.count(b'"', 0, cut) % 2 == 0:
        return cut
    import numpy as np

    marks = np.frombuffer(data, dtype=np.uint8)
    inside = np.bitwise_xor.accumulate(marks == ord('"'))
    ends = np.flatnonzero((marks == ord("\n")) & ~inside)
    return int(ends[-1]) + 1 if len(ends) else 0


def is_utf8(chunk: bytes, line: int, faults: Faults) -> bool:
    """Whether a chunk is text; if not, the line of its first bad byte is a fault."""
    if chunk.isascii():
        return True
    try:
        chunk.decode("utf-8")
    except UnicodeDecodeError as error:
        at = line + chunk.count(b"\n", 0, error.start)
        faults.add(at, "is not UTF-8", f"byte 0x{chunk[error.start]:02x}", "save it as UTF-8")
        return False
    return True
