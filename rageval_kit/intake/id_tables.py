"""Which ids were searched, and which passage states which claim?"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl

from rageval_kit.intake.byte_blocks import byte_blocks
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.text.normalise import nfc

_MOST_NAMED = 20
_CLAIM_HEADS = {"claim_id", "claim"}
_HEADS = {
    *_CLAIM_HEADS,
    "id", "_id", "doc_id", "docid", "docno", "document_id", "passage_id", "chunk_id", "corpus_id",
}  # fmt: skip


class _BadLineError(Exception):
    """A line that does not hold what it should: the problem, and the way out."""


def read_ids(path: Path) -> pl.Series:
    """One id per line (a header is passed over), or the ids of a JSONL corpus (`_id` or `id`)."""
    named = ("names no id", "write one id per line")
    return _read(path, ("document_id",), _id, named)["document_id"]


def read_claims(path: Path) -> pl.DataFrame:
    """passage_id, claim_id: two columns, by a tab, a comma or blanks; a header is passed over."""
    named = ("names no claim", "write: passage claim")
    return _read(path, ("passage_id", "claim_id"), _pair, named)


def _read(
    path: Path,
    columns: tuple[str, ...],
    cells: Callable[[str], tuple[str, ...]],
    nothing: tuple[str, str],
) -> pl.DataFrame:
    """The distinct rows of a file, a block of lines at a time; of its text nothing else is held."""
    schema = dict.fromkeys(columns, pl.String)
    frames: list[pl.DataFrame] = []
    faults: list[Fault] = []
    more = 0
    turned = False
    for lines in _blocks(path):
        rows = []
        for number, line in lines:
            try:
                row = cells(line)
            except _BadLineError as bad:
                more += len(faults) == _MOST_NAMED
                if len(faults) < _MOST_NAMED:
                    problem, way_out = bad.args
                    faults.append(Fault(f"{path}:{number}", problem, line[:80], way_out))
                continue
            if number == 1 and row[0].lower() in _HEADS:
                turned = row[0].lower() in _CLAIM_HEADS  # the header names the columns, either way
                continue
            rows.append(row[::-1] if turned else row)
        if not faults:
            frame = pl.DataFrame(rows, schema=schema, orient="row")
            frames.append(frame.unique(maintain_order=True))
    if more:
        faults.append(Fault(f"{path}: and {more:,} more lines", "are refused likewise"))
    if not faults and not any(map(len, frames)):
        faults.append(Fault(str(path), nothing[0], "", nothing[1]))
    if faults:
        raise InputError(faults)
    return pl.concat(frames).unique(maintain_order=True)


def _id(line: str) -> tuple[str]:
    if not line.startswith("{"):
        return (line,)
    try:
        node = json.loads(line)
    except ValueError:
        node = {}
    value = node.get("_id", node.get("id"))
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise _BadLineError("names no id", 'write {"_id": "…"}')
    return (nfc(str(value)),)


def _pair(line: str) -> tuple[str, str]:
    separator = "\t" if "\t" in line else "," if "," in line else None
    cells = [cell.strip() for cell in line.split(separator)]
    if len(cells) != 2 or not all(cells):  # noqa: PLR2004 - a pair
        raise _BadLineError("does not name a passage and a claim", "write: passage claim")
    return cells[0], cells[1]


def _blocks(path: Path) -> Iterator[list[tuple[int, str]]]:
    """Numbered lines that hold anything, as text in the one form that ids have everywhere."""
    first = 1
    for block in byte_blocks(path):
        try:
            told = nfc(block.decode("utf-8"))
        except UnicodeDecodeError as error:
            line = first + block.count(b"\n", 0, error.start)
            way_out = "save it as UTF-8"
            raise InputError.one(f"{path}:{line}", "is not UTF-8", "", way_out) from error
        lines = enumerate(told.split("\n"), first)
        yield [(number, line.strip()) for number, line in lines if line.strip()]
        first += block.count(b"\n")
