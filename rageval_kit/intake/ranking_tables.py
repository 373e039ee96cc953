"""Which judgments and rankings stand in a table (CSV, JSON, Parquet, a BEIR folder)?"""

import tempfile
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from rageval_kit.intake.byte_blocks import unpacked
from rageval_kit.intake.sheets import plain_cells
from rageval_kit.intake.table_forms import (
    IDS,
    Faults,
    Format,
    Purpose,
    TableInfo,
    format_of,
    is_table,
)
from rageval_kit.intake.table_lines import jsonl_frames
from rageval_kit.intake.table_objects import Objects, json_frames
from rageval_kit.intake.table_rows import csv_frames, parquet_frames, scanned_frames
from rageval_kit.records.faults import InputError
from rageval_kit.text.normalise import nfc

if TYPE_CHECKING:
    import polars as pl

Given = Union["pl.DataFrame", Mapping[str, Mapping[str, Any]], None]

__all__ = [
    "JudgmentTable",
    "RankingBlocks",
    "TableInfo",
    "format_of",
    "is_table",
    "ranking_blocks",
    "read_judgments",
]

BLOCK = 2_000_000
TIER_GRADES = {"core": 3, "supporting": 2, "marginal": 1}
_HIGHEST = 1000
_HIGHEST_RANK = 2**53
_BY_RANK = "The file states ranks and no scores: the score of a result is minus its rank."


@dataclass(frozen=True, slots=True)
class JudgmentTable:
    """`frame`: query_id, document_id, grade, line; one row per pair, in the file's order."""

    frame: "pl.DataFrame"
    info: TableInfo


class RankingBlocks(Iterator["pl.DataFrame"]):
    """The blocks of one file; `info` holds every note once the last block has been read.

    A fault ends the blocks with an InputError: what came before it is not a whole ranking.
    """

    __slots__ = ("_blocks", "_table")

    def __init__(self, path: Path, rows: int, given: Given = None) -> None:
        self._table = _Table(path, "ranking", rows, given)
        self._blocks = _blocks(self._table, rows)

    def __iter__(self) -> "RankingBlocks":
        return self

    def __next__(self) -> "pl.DataFrame":
        return next(self._blocks)

    @property
    def info(self) -> TableInfo:
        return self._table.info


def ranking_blocks(path: Path, rows: int = BLOCK, given: Given = None) -> RankingBlocks:
    """Read query_id, document_id, score, rank (null: not stated) and line, `rows` at a time.

    `given` stands in for the file: a polars frame, or a mapping of mappings; `path` names it then.
    """
    return RankingBlocks(path, rows, given)


def read_judgments(path: Path, given: Given = None) -> JudgmentTable:
    """Read the judgments with what there is to say of them; a pair stands once."""
    import polars as pl

    table = _Table(path, "judgments", BLOCK, given)
    frames = list(table.frames())
    if not table.faults.count and not any(frame.height for frame in frames):
        table.faults.add(0, "holds no judgment", None, "give at least one query with a grade")
    table.faults.refuse()
    frame = _once(pl.concat(frames), table)
    table.faults.refuse()
    return JudgmentTable(frame, table.info)


def _once(frame: "pl.DataFrame", table: "_Table") -> "pl.DataFrame":
    """Keep one of equal judgments of a pair; different grades for it are faults."""
    import polars as pl

    first = frame.unique(IDS, keep="first", maintain_order=True)
    repeated = frame.height - first.height
    if not repeated:
        return frame
    again = frame.join(first, on=IDS, suffix="_first").filter(
        pl.col("grade") != pl.col("grade_first")
    )
    for query_id, document_id, grade, line, grade_first, line_first in again.iter_rows():
        place = f" on line {line_first}" if line_first else ""
        problem = (
            f"query {query_id!r}, document {document_id!r} is judged {grade} here"
            f" and {grade_first}{place}"
        )
        table.faults.add(line, problem, None, "keep one of the two")
    table.notes[
        f"duplicate_judgments: {repeated}"
        " (the pair stood there before with the same grade; it is kept once)."
    ] = None
    return first


def _blocks(table: "_Table", rows: int) -> Iterator["pl.DataFrame"]:
    import polars as pl

    waiting: list[pl.DataFrame] = []
    for frame in table.frames():
        waiting.append(frame)
        if sum(part.height for part in waiting) >= rows:
            joined = pl.concat(waiting)
            whole = joined.height - joined.height % rows
            for offset in range(0, whole, rows):
                yield joined.slice(offset, rows)
            waiting = [joined.slice(whole)]
    table.faults.refuse()
    if any(part.height for part in waiting):
        yield pl.concat(waiting)


@dataclass(slots=True)
class _Table:
    """One file on its way through: its faults, its notes, and whether its rows have scores."""

    path: Path
    purpose: Purpose
    rows: int
    given: Given = None
    file: Path = field(init=False)
    format: Format = field(init=False)
    faults: Faults = field(init=False)
    notes: dict[str, None] = field(default_factory=dict)
    by_rank: bool | None = None
    ungraded: int = 0
    ungraded_note: str = ""

    def __post_init__(self) -> None:
        self.file = self.path
        self.format = format_of(self.path) if self.given is None else "given"
        if self.format == "folder":
            self.file = _judgments_of(self.path, self.purpose, self.notes)
        self.faults = Faults(self.file)

    @property
    def info(self) -> TableInfo:
        return TableInfo(self.file, self.format, tuple(self.notes))

    def frames(self) -> Iterator["pl.DataFrame"]:
        """The frames of the file, typed; after a fault nothing more, but all faults are found."""
        objects = Objects(self.purpose, self.faults)
        for raw in self._raw(objects):
            if objects.positions_used:
                self.notes["The file lists ids alone: their place in the list is their rank."] = (
                    None
                )
            frame = self._typed(raw)
            if not self.faults.count and frame.height:
                yield frame

    def _raw(self, objects: Objects) -> Iterator["pl.DataFrame"]:
        if isinstance(self.given, Mapping):
            objects.mapping(self.given)
            return iter([objects.frame()])
        if self.given is not None:
            return scanned_frames(self.given.lazy(), self.purpose, self.rows, self.faults)
        if self.format == "jsonl":
            return jsonl_frames(self.file, objects)
        if self.format == "json":
            return json_frames(self.file, objects)
        if self.format == "parquet":
            return _unpacked_parquet(self.file, self.purpose, self.rows, self.faults)
        return csv_frames(self.file, self.purpose, self.faults)

    def _typed(self, raw: "pl.DataFrame") -> "pl.DataFrame":
        import polars as pl

        if raw.is_empty():
            return raw
        if self.purpose == "judgments" and self.format in ("csv", "tsv"):
            raw = self._sheet(raw)
        ids = [self._ids(raw, name) for name in IDS]
        line = raw["line"].cast(pl.Int64)
        if self.purpose == "judgments":
            return pl.DataFrame([*ids, self._grades(raw), line])
        score, rank = self._scores(raw)
        return pl.DataFrame([*ids, score, rank, line])

    def _sheet(self, raw: "pl.DataFrame") -> "pl.DataFrame":
        """A sheet that people fill in: rows they left empty, ids made safe for a spreadsheet."""
        import polars as pl

        graded = [name for name in ("grade", "tier") if name in raw.columns]
        filled = pl.any_horizontal(
            pl.col(graded).is_not_null() & (pl.col(graded).cast(pl.String) != "")
        )
        kept = raw.filter(filled)
        self.ungraded += len(raw) - len(kept)
        if self.ungraded:
            self.notes.pop(self.ungraded_note, None)
            self.ungraded_note = f"rows without a grade, passed over: {self.ungraded}"
            self.notes[self.ungraded_note] = None
        return kept.with_columns(plain_cells(kept[name]).alias(name) for name in IDS)

    def _refuse(self, raw: "pl.DataFrame", name: str, bad: "pl.Series", *said: str) -> None:
        """Make a fault of each row where `bad`; `said` is the problem and the way out."""
        import polars as pl

        if bad.any():
            there = raw if name in raw.columns else raw.with_columns(pl.lit(None).alias(name))
            met = there.select("line", name).filter(bad.fill_null(value=False))
            self.faults.add_all(met.rows(), *said)

    def _ids(self, raw: "pl.DataFrame", name: str) -> "pl.Series":
        ids = raw[name]
        empty = ids.is_null() | (ids == "")
        self._refuse(raw, name, empty, f"the {name} is empty", "write the id")
        blank = ids.str.strip_chars().str.len_bytes() != ids.str.len_bytes()
        problem = f"the {name} begins or ends with a blank"
        self._refuse(raw, name, blank & ~empty, problem, "take it out: with it, it is another id")
        wide = ids.filter(ids.str.len_bytes() != ids.str.len_chars()).unique()
        changed = {i: nfc(i) for i in wide if not unicodedata.is_normalized("NFC", i)}
        return ids.replace(changed) if changed else ids

    def _grades(self, raw: "pl.DataFrame") -> "pl.Series":
        import polars as pl

        nothing = pl.Series("grade", [None] * raw.height, dtype=pl.Float64)
        numbers = (raw["grade"] if "grade" in raw.columns else nothing).cast(
            pl.Float64, strict=False
        )
        name = "grade" if "grade" in raw.columns else "tier"
        if "tier" in raw.columns:
            words = raw["tier"].str.to_lowercase()
            tiers = words.replace_strict(TIER_GRADES, default=None, return_dtype=pl.Float64)
            wrong = words.is_not_null() & tiers.is_null()
            way_out = f"write one of {', '.join(TIER_GRADES)}"
            self._refuse(raw, "tier", wrong, "is no tier of evidence", way_out)
            numbers = pl.select(pl.coalesce(numbers, tiers.set(wrong, 0.0))).to_series()
        whole = (numbers.is_finite() & (numbers == numbers.round())).fill_null(value=False)
        way_out = "write 0, 1, 2, 3 …"
        self._refuse(raw, name, ~whole, "the grade is not a whole number", way_out)
        far = whole & (numbers.abs() > _HIGHEST)
        problem = f"the grade is beyond {_HIGHEST} on either side (is this an id column?)"
        self._refuse(raw, name, far, problem, "name the column of grades `grade`")
        return numbers.cast(pl.Int32, strict=False).alias("grade")

    def _scores(self, raw: "pl.DataFrame") -> tuple["pl.Series", "pl.Series"]:
        import polars as pl

        nothing = pl.Series([None] * raw.height, dtype=pl.Float64)
        met = raw["score"] if "score" in raw.columns else nothing
        if self.by_rank is None:
            self.by_rank = met.null_count() == raw.height and "rank" in raw.columns
            self.by_rank = self.by_rank and raw["rank"].null_count() < raw.height
        rank = self._ranks(raw, needed=self.by_rank)
        if self.by_rank:
            self.notes[_BY_RANK] = None
            problem = "has a score, where the rows before it have only a rank"
            if "score" in raw.columns:
                self._refuse(raw, "score", met.is_not_null(), problem, "give all rows a score")
            return (-rank.cast(pl.Float64)).alias("score"), rank
        scores = met.cast(pl.Float64, strict=False)
        bad = ~scores.is_finite().fill_null(value=False)
        self._refuse(raw, "score", bad, "the score is not a finite number", "write a number")
        return scores.alias("score"), rank

    def _ranks(self, raw: "pl.DataFrame", *, needed: bool) -> "pl.Series":
        import polars as pl

        if "rank" not in raw.columns:
            return pl.Series("rank", [None] * raw.height, dtype=pl.Int64)
        met = raw["rank"]
        numbers = met.cast(pl.Float64, strict=False)
        whole = numbers.is_between(0, _HIGHEST_RANK) & (numbers == numbers.round())
        bad = ~whole.fill_null(value=False)
        wrong = bad if needed else bad & met.is_not_null()
        self._refuse(raw, "rank", wrong, "the rank is not a whole number", "write 1, 2, 3 …")
        return numbers.cast(pl.Int64, strict=False).alias("rank")


def _judgments_of(folder: Path, purpose: Purpose, notes: dict[str, None]) -> Path:
    """The judgments of a BEIR folder: qrels/test.tsv, or the only other file of qrels/."""
    if purpose == "ranking":
        problem = "is a folder, which holds judgments and no ranking"
        raise InputError.one(str(folder), problem, way_out="name the file of the ranking")
    found = sorted(folder.glob("qrels/*.tsv*"))
    tests = [path for path in found if path.name.startswith("test.tsv")]
    chosen = tests or found
    if len(chosen) != 1:
        met = ", ".join(path.name for path in chosen)
        way_out = "name the one file of judgments, or put it at qrels/test.tsv"
        raise InputError.one(str(folder), "has no one file of judgments in qrels/", met, way_out)
    others = [path.name for path in found if path not in chosen]
    left = f" {', '.join(others)} beside it is not read." if others else ""
    notes[f"The judgments of the folder are those of qrels/{chosen[0].name}.{left}"] = None
    return chosen[0]


def _unpacked_parquet(
    path: Path, purpose: Purpose, rows: int, faults: Faults
) -> Iterator["pl.DataFrame"]:
    if path.suffix.lower() == ".zst":
        way_out = "unpack the file: Parquet is packed inside"
        faults.add(0, "is Parquet packed once more with zstd", None, way_out)
    elif path.suffix.lower() != ".gz":
        yield from parquet_frames(path, purpose, rows, faults)
    else:
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / "plain"
            with plain.open("wb") as file:
                file.writelines(unpacked(path))
            yield from parquet_frames(plain, purpose, rows, faults)
