"""What do TREC files say: judgments (`query 0 document grade`) and rankings of six columns?"""

import math
import re
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rageval_kit.intake.byte_blocks import BLOCK, byte_blocks
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.text.normalise import nfc

HIGHEST_GRADE = 1000
MOST_FAULTS = 50
_SHOWN = 120
_AT_ONCE = 2  # blocks that are parsed side by side
_BLANKS = re.compile(rb"[ \t\x0b\x0c\r]+")
_SLICE = 1 << 18
# A first word that is a lone # makes a comment, in every block alike; ids may begin with the mark.
_COMMENTS = (b"# ", b"#\t")
_FAR = 20  # digits that are no grade, and more than Python makes a number of
_WHOLE = re.compile(r"[-+]?[0-9]+")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|[-+]?(?:nan|inf|infinity)"
)
_LAST_BLANK = 32

JUDGMENTS = {"query_id": pl.String, "z": pl.String, "document_id": pl.String, "grade": pl.Int32}
RANKINGS = {
    "query_id": pl.String,
    "q0": pl.String,
    "document_id": pl.String,
    "rank": pl.String,
    "score": pl.Float64,
    "tag": pl.String,
}


def read_judgments(path: Path) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """query_id, document_id, grade, line, with notes; every bad line is refused at once."""
    columns = ["query_id", "document_id", "grade", "line"]
    reader = _Reader(path, JUDGMENTS, ("query_id", "document_id", "grade"), _judgment)
    frames = [frame.select(columns) for frame in reader.frames(lines=True)]
    empty = {"query_id": pl.String, "document_id": pl.String, "grade": pl.Int32, "line": pl.Int64}
    return pl.concat(frames) if frames else pl.DataFrame(schema=empty), reader.notes


def ranking_blocks(
    path: Path, notes: list[str] | None = None, *, with_rank: bool = False, block: int = BLOCK
) -> Iterator[pl.DataFrame]:
    """query_id, document_id, score (and rank), in file order, a block of lines at a time.

    `notes` holds what there is to say of the file once the last block has been read.
    """
    kept = ("query_id", "document_id", "score", *(["rank"] if with_rank else []))
    reader = _Reader(path, RANKINGS, kept, _result)
    for frame in reader.frames(block):
        if with_rank:
            frame = frame.with_columns(pl.col("rank").cast(pl.Int64, strict=False))  # noqa: PLW2901
            if frame["rank"].null_count():
                at = int(frame["rank"].is_null().arg_max() or 0)
                met = f"query {frame['query_id'][at]}, document {frame['document_id'][at]}"
                way_out = "mend the rank column, or leave ties to the scores"
                raise InputError.one(str(path), "states no whole number as rank", met, way_out)
        yield frame
    if notes is not None:
        notes[:] = reader.notes


def lined_blocks(path: Path) -> Iterator[pl.DataFrame]:
    """query_id, document_id and the line on which each result stands."""
    kept = ("query_id", "document_id", "score")
    return _Reader(path, RANKINGS, kept, _result).frames(lines=True)


@dataclass(frozen=True, slots=True)
class _BadLineError(Exception):
    """What one line holds that it may not."""

    problem: str
    met: str
    way_out: str = ""


@dataclass(slots=True)
class _Reader:
    """Reads blocks the fast way; a block that is not plain is read line by line."""

    path: Path
    schema: dict[str, Any]
    kept: tuple[str, ...]
    row: Any
    faults: list[Fault] = field(default_factory=list)
    more: int = 0
    comments: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        if not self.comments:
            return ()
        return (f"lines passed over as comments, since they begin with '# ': {self.comments:,}",)

    def frames(self, block: int = BLOCK, *, lines: bool = False) -> Iterator[pl.DataFrame]:
        line = 1
        for data, frame in self.parsed(block):
            told, numbers = (frame, None) if frame is not None else self.careful(data, line)
            if lines:
                at = range(line, line + len(told)) if numbers is None else numbers
                told = told.with_columns(line=pl.Series(at, dtype=pl.Int64))
            line += len(told) if numbers is None else data.count(b"\n")
            if not self.faults and len(told):
                yield told
        if self.faults:
            if self.more:
                where = f"{self.path}: and {self.more} more lines"
                self.faults.append(Fault(where, "are refused likewise"))
            raise InputError(self.faults)

    def parsed(self, block: int) -> Iterator[tuple[bytes, pl.DataFrame | None]]:
        """Every block with its frame, in order; the next ones are parsed meanwhile."""
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            waiting: deque[tuple[bytes, Future[pl.DataFrame | None]]] = deque()
            for data in byte_blocks(self.path, block):
                waiting.append((data, pool.submit(self.quick, data)))
                if len(waiting) > _AT_ONCE:
                    first, coming = waiting.popleft()
                    yield first, coming.result()
            while waiting:
                first, coming = waiting.popleft()
                yield first, coming.result()

    def quick(self, data: bytes) -> pl.DataFrame | None:
        frame = self.plain(data)
        return self.tidied(data) if frame is None else frame

    def plain(self, data: bytes) -> pl.DataFrame | None:
        """One separator throughout and the right number of columns in every line, or None."""
        if b"#" in data and any(data.startswith(c) or b"\n" + c in data for c in _COMMENTS):
            return None
        head = data[: data.index(b"\n")]
        if head.endswith(b"\r"):
            data = data.replace(b"\r\n", b"\n")
        separator = "\t" if b"\t" in head else " "
        options: dict[str, Any] = {"separator": separator, "quote_char": None}
        scan = pl.scan_csv(data, has_header=False, schema=self.schema, **options)
        try:
            frame = scan.select({*self.kept, list(self.schema)[-1]}).collect()
        except (pl.exceptions.ComputeError, pl.exceptions.SchemaError):
            return None
        # Where not all columns are read, a line with too many goes unnoticed, one with too few
        # leaves the last one empty, and an empty one that is not read is two separators.
        expected = (len(self.schema) - 1) * len(frame)
        if _blanks(data, ord(separator)) != (expected, expected + len(frame)):
            return None
        if not self.sound(frame):
            return None
        frame = frame.select(self.kept)
        if not data.isascii():
            frame = frame.with_columns(pl.col("query_id", "document_id").str.normalize("NFC"))
        return frame

    def sound(self, frame: pl.DataFrame) -> bool:
        if any(column.null_count() for column in frame):
            return False
        if "score" in frame.columns:
            return bool(np.isfinite(frame["score"].to_numpy()).all())
        return not (frame["grade"].abs() > HIGHEST_GRADE).any()

    def tidied(self, data: bytes) -> pl.DataFrame | None:
        """Irregular blanks made one space; only where no line goes missing by it."""
        if data.count(b"\r") != data.count(b"\r\n"):
            return None  # a return inside a line is no blank
        tidy = _BLANKS.sub(b" ", data)
        if b" \n" in tidy or b"\n " in tidy:
            tidy = tidy.replace(b" \n", b"\n").replace(b"\n ", b"\n")
        return None if b"\n\n" in tidy else self.plain(tidy.removeprefix(b" "))

    def careful(self, data: bytes, first: int) -> tuple[pl.DataFrame, list[int]]:
        """Line by line: blank lines and comments are passed over, every fault is kept."""
        rows: list[tuple[Any, ...]] = []
        numbers: list[int] = []
        for number, raw in enumerate(data.split(b"\n")[:-1], first):
            cells = raw.split()
            if b"\r" in raw.rstrip(b"\r"):
                way_out = "end every line with a line feed"
                bad = _BadLineError("holds a carriage return", repr(raw[:_SHOWN]), way_out)
                self.refuse(f"{self.path}:{number}", bad)
                continue
            if not cells or cells[0] == b"#":
                self.comments += len(cells) > 0
                continue
            try:
                rows.append(self.row([_text(cell) for cell in cells]))
                numbers.append(number)
            except _BadLineError as bad:
                self.refuse(f"{self.path}:{number}", bad)
        frame = pl.DataFrame(rows, schema=self.schema, orient="row").select(self.kept)
        return frame, numbers

    def refuse(self, where: str, bad: _BadLineError) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(Fault(where, bad.problem, bad.met, bad.way_out))
        else:
            self.more += 1


def _blanks(data: bytes, separator: int) -> tuple[int, int]:
    """How often the separator occurs, and how often any blank or control character does.

    (-1, -1) if the separator ever stands twice in a row. By slices that stay in the processor's
    cache, each with the first byte of the next.
    """
    values = np.frombuffer(data, np.uint8)
    separators = blanks = 0
    for at in range(0, len(values), _SLICE):
        piece = values[at : at + _SLICE + 1]
        met = piece == separator
        if (met[1:] & met[:-1]).any():
            return -1, -1
        separators += int(np.count_nonzero(met[:_SLICE]))
        blanks += int(np.count_nonzero(piece[:_SLICE] <= _LAST_BLANK))
    return separators, blanks


def _text(cell: bytes) -> str:
    try:
        return nfc(cell.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _BadLineError("is not UTF-8", repr(cell), "save the file as UTF-8") from error


def _comment(cells: list[str]) -> str:
    return "if it is a comment, put a blank after the #" if cells[0].startswith("#") else ""


def _judgment(cells: list[str]) -> tuple[str, str, str, int]:
    if len(cells) != len(JUDGMENTS):
        way_out = _comment(cells) or "write: query 0 document grade"
        if len(cells) == len(RANKINGS):
            way_out = "is this a ranking? the judgments come first, then the rankings"
        raise _BadLineError(f"has {len(cells)} columns, not 4", " ".join(cells), way_out)
    query, zero, document, grade = cells
    if not _WHOLE.fullmatch(grade):
        way_out = "grades are whole numbers: 0 not relevant, 1 and above relevant"
        raise _BadLineError("the grade is not a whole number", grade, way_out)
    number = int(grade) if len(grade) < _FAR else HIGHEST_GRADE + 1
    if abs(number) > HIGHEST_GRADE:
        raise _BadLineError("the grade is out of all proportion", grade, "is this a column of ids?")
    return query, zero, document, number


def _result(cells: list[str]) -> tuple[str, str, str, str, float, str]:
    if len(cells) < len(RANKINGS):
        way_out = _comment(cells) or "write: query Q0 document rank score tag"
        raise _BadLineError(f"has {len(cells)} columns, not 6", " ".join(cells), way_out)
    query, q0, document, rank, score, *tag = cells
    if not _NUMBER.fullmatch(score.lower()):
        raise _BadLineError("the score is not a number", score, "scores are finite numbers")
    number = float(score)
    if not math.isfinite(number):
        raise _BadLineError("the score is not finite", score, "scores are finite numbers")
    # More than six columns: a tag with blanks, unless the rank shows that an id holds the blank, or
    # a second Q0 that the end of a line is missing.
    if tag[1:] and (not _WHOLE.fullmatch(rank) or q0 in tag):
        way_out = "ids hold no blanks; does the end of a line lack its line feed?"
        raise _BadLineError("has more than 6 columns", " ".join(cells)[:_SHOWN], way_out)
    return query, q0, document, rank, number, " ".join(tag)
