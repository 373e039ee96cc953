"""What does a listing of an index say: which passages, of which version, by which model, when?"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from rageval_kit.corpus.times import TimeError, parse_instant
from rageval_kit.intake.report import shown
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import Indexed
from rageval_kit.text.normalise import nfc

NAMES: Mapping[str, tuple[str, ...]] = {
    "chunk_id": ("chunk_id", "passage_id", "id", "_id"),
    "version_id": ("version_id", "version"),
    "digest": ("digest", "sha256", "content_hash"),
    "text": ("text", "content"),
    "model": ("model", "embedding_model"),
    "indexed_at": ("indexed_at", "updated_at"),
}
MOST_FAULTS = 50


def read_inventory(path: Path, timezone: str = "UTC") -> list[Indexed]:
    """Read JSONL, CSV or Parquet, one row for each entry of the index; every fault at once.

    Needed is the passage's id; what the listing does not say is not compared. Where it gives the
    text but no digest, the digest is that of the text.
    """
    table = _table(path)
    columns = {
        ours: next((name for name in names if name in table.columns), None)
        for ours, names in NAMES.items()
    }
    if columns["chunk_id"] is None:
        way_out = f"name the column one of {', '.join(NAMES['chunk_id'])}"
        raise InputError.one(str(path), "has no column of passage ids", _met(table), way_out)
    kept = {ours: table[theirs] for ours, theirs in columns.items() if theirs is not None}
    faults: list[Fault] = []
    rows = []
    for number, row in enumerate(pl.DataFrame(kept).iter_rows(named=True), 1):
        try:
            rows.append(_entry(row, timezone))
        except (TimeError, ValueError) as fault:
            if len(faults) < MOST_FAULTS:
                faults.append(Fault(f"{path}: entry {number}", str(fault)))
    if faults:
        raise InputError(faults)
    return rows


def _entry(row: Mapping[str, Any], timezone: str) -> Indexed:
    chunk_id = row["chunk_id"]
    if not chunk_id:
        raise ValueError("names no passage; give its id")
    digest, text = row.get("digest"), row.get("text")
    if not digest and text is not None:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    if digest and not _is_sha256(digest):
        raise ValueError(f"digest {shown(digest)} is no sha-256; give 64 hex digits, or the text")
    told = row.get("indexed_at")
    return Indexed(
        nfc(chunk_id),
        nfc(row.get("version_id") or ""),
        (digest or "").lower(),
        row.get("model") or "",
        parse_instant(told, timezone) if told else None,
    )


def _is_sha256(text: str) -> bool:
    return len(text) == 2 * hashlib.sha256().digest_size and all(
        char in "0123456789abcdef" for char in text.lower()
    )


def _table(path: Path) -> pl.DataFrame:
    """All columns that are known, as text."""
    known = [name for names in NAMES.values() for name in names]
    try:
        if path.suffix == ".parquet":
            table = pl.read_parquet(path)
        elif path.suffix == ".csv":
            table = pl.read_csv(path, infer_schema=False)
        else:
            table = pl.read_ndjson(path, infer_schema_length=None)
    except OSError as error:
        raise InputError.one(str(path), "cannot be read", error.strerror or str(error)) from error
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        problem = "is no listing of an index: JSONL, .csv or .parquet, in UTF-8"
        raise InputError.one(str(path), problem, str(error).splitlines()[0][:200]) from error
    table = table.select(name for name in table.columns if name in known)
    wrong = [n for n, kind in table.schema.items() if kind not in (pl.String, pl.Null)]
    ids = [name for name in wrong if name in (*NAMES["chunk_id"], *NAMES["version_id"])]
    if ids:
        raise InputError(_numbers(path, ids))
    return table.with_columns(pl.col(name).cast(pl.String) for name in wrong)


def _numbers(path: Path, columns: list[str]) -> Iterator[Fault]:
    for name in columns:
        yield Fault(f"{path}: {name}", "is not text", "", "ids are text: write them in quotes")


def _met(table: pl.DataFrame) -> str:
    return ", ".join(table.columns) or "none that is known"
