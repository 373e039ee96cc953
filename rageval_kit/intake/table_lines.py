"""What do JSON lines say, read with polars where that is provably the same, else one by one?"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.intake.files import json_problem
from rageval_kit.intake.table_forms import (
    IDS,
    NAMES,
    Faults,
    Purpose,
    columns_of,
    is_utf8,
    plain_name,
    record_chunks,
)
from rageval_kit.intake.table_objects import JUDGED, RANKED, Objects, read_json

if TYPE_CHECKING:
    import polars as pl

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def jsonl_frames(path: Path, objects: Objects) -> Iterator["pl.DataFrame"]:
    """Chunks of a file with one object per line."""
    for line, chunk in record_chunks(path, quoted=False):
        if not is_utf8(chunk, line, objects.faults):
            continue
        fast = _fast(chunk, line, objects.purpose)
        if fast is not None:
            yield fast
            continue
        # only \n ends a record: a splitter that knows Unicode would cut at U+2028 inside a string
        for number, text in enumerate(chunk.decode().split("\n"), line):
            if not text.strip(" \t\r"):
                continue
            try:
                value = read_json(text)
            except (ValueError, RecursionError) as error:
                objects.faults.add(number, json_problem(error), None, "mend the line")
                continue
            objects.add(value, number)
        yield objects.frame()


def _fast(whole: bytes, line: int, purpose: Purpose) -> "pl.DataFrame | None":
    """Read with polars where byte counts show that every row has the keys of the first.

    Polars would write 7.0 as the text 7 and take one of two equal keys. So there must be as many
    keys as the first row has times rows, none of those read null, and ids all of one type.
    """
    chunk = whole.rstrip(b" \t\r\n")
    try:
        first = read_json(chunk.partition(b"\n")[0].decode())
    except (ValueError, RecursionError):
        return None
    surrogate = b"\\u" in chunk and _SURROGATE.search(chunk)
    if surrogate or not isinstance(first, dict):
        return None
    rows = chunk.count(b"\n") + 1
    nested = [key for key, value in first.items() if isinstance(value, dict | list)]
    listing = [key for key in first if plain_name(key) in (*RANKED, *JUDGED)]
    if not nested and not listing:
        return _flat(chunk, first, purpose, line, rows)
    if purpose == "ranking" and len(listing) == 1 and nested == listing:
        return _listed(chunk, first, listing[0], line, rows)
    return None


def _flat(
    chunk: bytes, first: dict[str, Any], purpose: Purpose, line: int, rows: int
) -> "pl.DataFrame | None":
    """One object per pair."""
    import polars as pl

    found = columns_of(first, purpose, Faults(Path()), 0)
    keys = None if found is None else _Keys.of(chunk, first, found)
    if keys is None or chunk.count(b'":') != rows * len(first) or not keys.occur(chunk, rows):
        return None
    frame = _parsed(chunk, keys.types)
    if frame is None or frame.height != rows or keys.misses(frame):
        return None
    return frame.select(*keys.columns(), pl.int_range(line, line + rows).alias("line"))


def _listed(
    chunk: bytes, first: dict[str, Any], listing: str, line: int, rows: int
) -> "pl.DataFrame | None":
    """One object per query, with a list of objects under `listing`."""
    import polars as pl

    items = first[listing]
    if not items or not isinstance(items, list) or not isinstance(items[0], dict):
        return None
    queries = [n for n, key in enumerate(first) if plain_name(key) in NAMES["query_id"]]
    found = columns_of(items[0], "ranking", Faults(Path()), 0, ("document_id",))
    query = _Keys.of(chunk, first, {"query_id": queries[0]}) if len(queries) == 1 else None
    keys = None if found is None else _Keys.of(chunk, items[0], found)
    if query is None or keys is None or query.types.keys() & keys.types.keys():
        return None
    frame = _parsed(chunk, {**query.types, listing: pl.List(pl.Struct(keys.types))})
    if frame is None or frame.height != rows or query.misses(frame) or frame[listing].has_nulls():
        return None
    frame = frame.with_columns(pl.int_range(line, line + rows).alias("line"))
    frame = frame.filter(pl.col(listing).list.len() > 0).explode(listing)
    count = frame.height
    alike = chunk.count(b'":') == rows * len(first) + count * len(items[0])
    alike = alike and query.occur(chunk, rows) and keys.occur(chunk, count)
    if not alike or frame[listing].has_nulls():
        return None
    frame = frame.rename({"line": ""}).unnest(listing)
    if keys.misses(frame):
        return None
    return frame.select(*query.columns(), *keys.columns(), pl.col("").alias("line"))


def _parsed(chunk: bytes, schema: dict[str, Any]) -> "pl.DataFrame | None":
    import polars as pl

    try:
        return pl.read_ndjson(chunk, schema=schema)
    except pl.exceptions.PolarsError:
        return None


@dataclass(frozen=True, slots=True)
class _Keys:
    """The keys that are read of one kind of object: what each holds, and its type.

    `marks` are bytes that occur once in each such object, of the keys that are not read too: else
    a first row with a misspelt key would hide the key from the rows below it.
    """

    roles: dict[str, str]
    types: dict[str, Any]
    marks: tuple[bytes, ...]

    @classmethod
    def of(cls, chunk: bytes, value: dict[str, Any], found: dict[str, int]) -> "_Keys | None":
        import polars as pl

        types: dict[str, Any] = {}
        unread = [key for n, key in enumerate(value) if n not in found.values()]
        marks = [json.dumps(key, ensure_ascii=False).encode() for key in unread]
        names = {list(value)[place]: role for role, place in found.items()}
        for name, role in names.items():
            key = json.dumps(name).encode()
            if type(value[name]) is not str:
                # polars takes no text for a number, so no spelling of the value is counted
                types[name] = pl.Int64 if role in IDS else pl.Float64
                marks.append(key)
                continue
            if role not in (*IDS, "tier"):
                return None
            types[name] = pl.String
            blank = b" " if chunk.startswith(key + b": ", chunk.find(key)) else b""
            marks.append(key + b":" + blank + b'"')
        return cls(names, types, tuple(marks))

    def occur(self, chunk: bytes, times: int) -> bool:
        return all(chunk.count(mark) == times for mark in self.marks)

    def misses(self, frame: "pl.DataFrame") -> bool:
        return any(frame[name].null_count() for name in self.types)

    def columns(self) -> "list[pl.Expr]":
        import polars as pl

        return [
            (pl.col(name).cast(pl.String) if role in IDS else pl.col(name)).alias(role)
            for name, role in self.roles.items()
        ]
