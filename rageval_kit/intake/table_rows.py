"""What stands in each row of a table of judgments or of a ranking, before it is judged?

Polars reads what it provably reads as the slow readers would; they read the rest, and name faults.
"""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rageval_kit.intake.table_forms import (
    IDS,
    Faults,
    Purpose,
    columns_of,
    header_cells,
    header_separator,
    is_utf8,
    record_chunks,
)
from rageval_kit.records.scores import Ints

if TYPE_CHECKING:
    import polars as pl

_LONGEST_CELL = 64_000_000


def parquet_frames(
    path: Path, purpose: Purpose, rows: int, faults: Faults
) -> Iterator["pl.DataFrame"]:
    """Slices of a Parquet file with the columns that are read; `line` is the row, from 1."""
    import polars as pl

    try:
        scan = pl.scan_parquet(path, glob=False, hive_partitioning=False)
        yield from scanned_frames(scan, purpose, rows, faults)
    except (OSError, pl.exceptions.PolarsError) as error:
        reason = str(error).partition("\n")[0]
        faults.add(0, "cannot be read as Parquet", reason, "write it anew")


def scanned_frames(
    scan: "pl.LazyFrame", purpose: Purpose, rows: int, faults: Faults
) -> Iterator["pl.DataFrame"]:
    """Slices of what polars scans, as `parquet_frames`."""
    import polars as pl

    schema = scan.collect_schema()
    found = columns_of(schema.names(), purpose, faults, 0)
    if found is None:
        return
    names = {role: schema.names()[place] for role, place in found.items()}
    if not _types_are_clear(names, schema, faults):
        return
    text = [pl.col(names[role]).cast(pl.String).alias(role) for role in IDS]
    values = [
        pl.col(name).alias(role).cast(schema[name] if schema[name].is_numeric() else pl.String)
        for role, name in names.items()
        if role not in IDS
    ]
    columns = scan.select(*text, *values)
    for offset in range(0, scan.select(pl.len()).collect().item(), rows):
        frame = columns.slice(offset, rows).collect()
        yield frame.with_columns(line=pl.int_range(1, frame.height + 1) + offset)


def _types_are_clear(names: dict[str, str], schema: "pl.Schema", faults: Faults) -> bool:
    import polars as pl

    before = faults.count
    for role, name in names.items():
        kind = schema[name]
        text = kind == pl.String or isinstance(kind, pl.Categorical | pl.Enum)
        if role in IDS and kind.is_float():
            problem = f"column {name!r} holds ids as numbers with a point, which have lost digits"
            faults.add(0, problem, kind, "write the ids as text")
        elif role in IDS and not (text or kind.is_integer()):
            faults.add(0, f"column {name!r} does not hold ids", kind, "write the ids as text")
        elif role == "tier" and not text:
            faults.add(0, f"column {name!r} does not hold words", kind, "write the tiers as text")
        elif role not in IDS and not (text or kind.is_numeric()):
            faults.add(0, f"column {name!r} does not hold numbers", kind, f"write the {role}")
    return faults.count == before


def csv_frames(path: Path, purpose: Purpose, faults: Faults) -> Iterator["pl.DataFrame"]:
    """Chunks of a file with a header line; every cell is the text that stands there."""
    import polars as pl

    table: _Csv | None = None
    for line, whole in record_chunks(path, quoted=True):
        chunk = whole
        if not is_utf8(chunk, line, faults):
            continue
        if table is None:
            head, _, chunk = chunk.partition(b"\n")
            table = _Csv.of(head.decode().rstrip("\r"), purpose, faults)
            if table is None:
                return
            line += 1  # noqa: PLW2901 - the header is line 1
        fast = table.fast(chunk, line)
        if fast is not None:
            yield fast
            continue
        stray = table.stray_quote(chunk)
        if stray is not None:
            problem, way_out = (
                "a quote opens or closes inside a cell",
                'quote the whole cell, and write "" for a quote inside',
            )
            faults.add(line + chunk.count(b"\n", 0, stray), problem, None, way_out)
            return  # from here on nobody can tell cells from text
        yield pl.DataFrame(table.slow(chunk.decode(), line, faults), schema=table.schema)


class _Csv:
    """One layout: the separator, how many cells a record has, and which of them are read."""

    __slots__ = ("found", "schema", "separator", "width")

    def __init__(self, separator: str, width: int, found: dict[str, int]) -> None:
        import polars as pl

        self.separator = separator
        self.width = width
        self.found = found
        self.schema = {**dict.fromkeys(found, pl.String), "line": pl.Int64}

    @classmethod
    def of(cls, head: str, purpose: Purpose, faults: Faults) -> "_Csv | None":
        separator = header_separator(head) or ("\t" if "\t" in head else ",")
        names = header_cells(head, separator)
        found = columns_of(names, purpose, faults, 1)
        return None if found is None else cls(separator, len(names), found)

    def fast(self, whole: bytes, line: int) -> "pl.DataFrame | None":
        """Read with polars, or None where the layout of the bytes leaves a doubt."""
        import polars as pl

        chunk = whole.rstrip(b"\r\n")
        if not chunk:
            return pl.DataFrame(schema=self.schema)
        lines = self._lines(chunk)
        if lines is None or chunk.count(b"\r") != chunk.count(b"\r\n"):
            return None
        try:
            # All columns are read: only so a row with too many cells is noticed.
            frame = pl.read_csv(
                chunk,
                has_header=False,
                separator=self.separator,
                quote_char='"' if b'"' in chunk else None,
                infer_schema=False,
            )
        except pl.exceptions.PolarsError:
            return None
        if frame.shape != (len(lines), self.width):
            return None
        order = sorted(self.found, key=self.found.__getitem__)
        frame = frame.select(frame.columns[self.found[role]] for role in order)
        frame.columns = order
        return frame.with_columns(line=pl.Series(lines + line)).select(*self.schema)

    def _lines(self, chunk: bytes) -> Ints | None:
        """At which line each record begins, from 0; None if not all are as wide as the header."""
        rows = chunk.count(b"\n") + 1
        separators = chunk.count(self.separator.encode())
        if b'"' not in chunk:
            return np.arange(rows) if separators == rows * (self.width - 1) else None
        if self.stray_quote(chunk) is not None:
            return None
        marks = np.frombuffer(chunk + b"\n", dtype=np.uint8)
        inside = np.bitwise_xor.accumulate(marks == ord('"'))
        ends = marks == ord("\n")
        record = ends & ~inside
        rows = int(np.count_nonzero(record))
        separators = int(np.count_nonzero((marks == ord(self.separator)) & ~inside))
        if separators != rows * (self.width - 1):
            return None
        return np.concatenate(([0], np.flatnonzero(record[ends])[:-1] + 1))

    def stray_quote(self, chunk: bytes) -> int | None:
        """Where the first quote is that is neither round a whole cell nor doubled inside one."""
        marks = np.frombuffer(b"\n" + chunk + b"\n", dtype=np.uint8)
        places = np.flatnonzero(marks == ord('"'))
        between = [ord(self.separator), ord("\n"), ord('"')]
        wrong = np.ones(len(places), dtype=bool)
        wrong[::2] = ~np.isin(marks[places[::2] - 1], between)
        # one that closes nothing well is laid to the quote that opened
        closing = ~np.isin(marks[places[1::2] + 1], [*between, ord("\r")])
        wrong[: len(places) // 2 * 2 : 2] |= closing
        wrong[1::2] = False
        if len(places) % 2:
            wrong[-1] = True
        return int(places[wrong][0]) - 1 if wrong.any() else None

    def slow(self, text: str, line: int, faults: Faults) -> dict[str, list[object]]:
        """Read record by record, and say what is wrong and where."""
        columns: dict[str, list[object]] = {name: [] for name in self.schema}
        csv.field_size_limit(_LONGEST_CELL)
        source = io.StringIO(text, newline="\n")
        reader = csv.reader(source, delimiter=self.separator, strict=True)
        began = line
        try:
            for cells in reader:
                if cells and len(cells) != self.width:
                    problem = f"has {len(cells)} cells where the header has {self.width}"
                    faults.add(began, problem, cells, "quote a cell that holds the separator")
                elif cells:
                    columns["line"].append(began)
                    for role, place in self.found.items():
                        columns[role].append(cells[place] or None)
                began = line + reader.line_num
        except csv.Error as error:
            faults.add(line + reader.line_num - 1, f"is not CSV ({error})", None, "mend the line")
        return columns
