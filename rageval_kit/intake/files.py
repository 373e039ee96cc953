"""Rows out of files: JSON lines, JSON, YAML, CSV and Parquet, each with its line."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rageval_kit.intake.report import Collector
from rageval_kit.intake.yaml_text import read_yaml

_LONGEST_LINE = 64_000_000
_ODD_BYTES = 64
_WHITESPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file and the line on which it begins."""

    file: str
    line: int
    data: Any


class _DoubledKeyError(ValueError):
    pass


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        seen: set[str] = set()
        doubled = [key for key, _ in pairs if key in seen or seen.add(key)]  # type: ignore[func-returns-value]
        raise _DoubledKeyError(f"the key {doubled[0]!r} stands twice")
    return mapping


def _constant(word: str) -> None:
    raise _DoubledKeyError(f"{word} is not a JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)


def read_text(path: Path, faults: Collector) -> str | None:
    """Read UTF-8, with or without a byte-order mark; anything else is refused by name."""
    file = str(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        faults.fault(file, 0, "", None, f"cannot be opened ({error.strerror})", "check the path")
        return None
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in content[:_ODD_BYTES]:
        rule = "is not UTF-8 but looks like UTF-16 or binary data"
        faults.fault(file, 0, "", None, rule, "save it as UTF-8")
        return None
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        value = f"byte 0x{content[error.start]:02x}"
        faults.fault(file, line, "", None, f"is not UTF-8 ({value})", "save it as UTF-8")
        return None


def read_rows(path: Path, faults: Collector) -> list[Row]:
    """Read the records of a file by the ending of its name."""
    suffix = path.suffix.lower()
    reader = _READERS.get(suffix)
    if reader is None:
        known = ", ".join(sorted(_READERS))
        rule = f"has the ending {suffix!r}, which no reader knows"
        faults.fault(str(path), 0, "", None, rule, f"use one of {known}")
        return []
    return reader(path, faults)


def _decode(text: str, start: int) -> tuple[Any, int]:
    value, end = _DECODER.raw_decode(text, start)
    if _SURROGATE.search(text, start, end):
        # an escaped half of a surrogate pair is text that no UTF-8 file can hold
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value, end


def json_problem(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"is not JSON ({error.msg}, character {error.colno})"
    if isinstance(error, UnicodeEncodeError):
        return "holds half a surrogate pair, which is not text"
    if isinstance(error, RecursionError):
        return "nests too deeply"
    return f"is not clean JSON ({error})"


def read_jsonl(path: Path, faults: Collector) -> list[Row]:
    text = read_text(path, faults)
    rows: list[Row] = []
    # only \n ends a record: a splitter that knows Unicode would cut at U+2028 inside a string
    for number, line in enumerate((text or "").split("\n"), 1):
        stripped = line.strip(" \t\r")
        if not stripped:
            continue
        if len(stripped) > _LONGEST_LINE:
            rule = f"is longer than {_LONGEST_LINE} characters"
            faults.fault(str(path), number, "", None, rule, "split the record")
            continue
        try:
            value, end = _decode(stripped, 0)
        except (ValueError, RecursionError) as error:
            faults.fault(str(path), number, "", None, json_problem(error), "mend the line")
            continue
        if end != len(stripped):
            rule = "holds more than one JSON value"
            faults.fault(str(path), number, "", None, rule, "write one per line")
        else:
            rows.append(Row(str(path), number, value))
    return rows


def read_json(path: Path, faults: Collector) -> list[Row]:
    """Read one object, or the objects of a list, each with the line where it begins."""
    text = read_text(path, faults)
    if text is None:
        return []
    try:
        return list(_json_rows(text, str(path)))
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        faults.fault(str(path), line, "", None, json_problem(error), "mend the file")
        return []


def _json_rows(text: str, file: str) -> Iterator[Row]:
    def skip(position: int) -> int:
        match = _WHITESPACE.match(text, position)
        return match.end() if match else position

    position = skip(0)
    in_list = text[position : position + 1] == "["
    if not in_list:
        value, end = _decode(text, position)
        if skip(end) != len(text):
            raise json.JSONDecodeError("more follows the value", text, end)
        yield Row(file, text.count("\n", 0, position) + 1, value)
        return
    position = skip(position + 1)
    line, counted = 1, 0
    while text[position : position + 1] != "]":
        line += text.count("\n", counted, position)
        counted = position
        value, end = _decode(text, position)
        yield Row(file, line, value)
        position = skip(end)
        mark = text[position : position + 1]
        if mark == ",":
            position = skip(position + 1)
        elif mark != "]":
            raise json.JSONDecodeError("a comma or ] is missing", text, position)
    if skip(position + 1) != len(text):
        raise json.JSONDecodeError("more follows the list", text, position)


def read_yaml_rows(path: Path, faults: Collector) -> list[Row]:
    """Read one mapping, or the mappings of a list."""
    text = read_text(path, faults)
    value = None if text is None else read_yaml(text, str(path), faults)
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    return [Row(str(path), item[None] if isinstance(item, Mapping) else 1, item) for item in items]


def read_csv(path: Path, faults: Collector) -> list[Row]:
    """Read a table with a head line; every cell is text as it stands: 0007 and NA stay."""
    text = read_text(path, faults)
    if text is None:
        return []
    file = str(path)
    csv.field_size_limit(_LONGEST_LINE)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        head = next(reader, [])
        doubled = sorted({name for name in head if head.count(name) > 1})
        if doubled or not head:
            rule = "the head line names a column twice" if doubled else "has no head line"
            faults.fault(file, 1, "", doubled or None, rule, "name each column once")
            return []
        began = reader.line_num + 1
        for cells in reader:
            if cells and len(cells) != len(head):
                rule = f"has {len(cells)} cells where the head line has {len(head)}"
                faults.fault(file, began, "", None, rule, "quote cells that hold a comma")
            elif cells:
                rows.append(Row(file, began, dict(zip(head, cells, strict=True))))
            began = reader.line_num + 1
    except csv.Error as error:
        faults.fault(file, reader.line_num, "", None, f"is not CSV ({error})", "mend the line")
    return rows


def read_parquet(path: Path, faults: Collector) -> list[Row]:
    import polars as pl

    file = str(path)
    try:
        frame = pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0][:200]
        faults.fault(file, 0, "", None, f"is not Parquet ({reason})", "write it anew")
        return []
    return [Row(file, n, row) for n, row in enumerate(frame.iter_rows(named=True), 1)]


_READERS: Mapping[str, Callable[[Path, Collector], list[Row]]] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".json": read_json,
    ".yaml": read_yaml_rows,
    ".yml": read_yaml_rows,
    ".csv": read_csv,
    ".parquet": read_parquet,
}
