"""Which ids were searched, and which passage states which claim?"""

from pathlib import Path

import polars as pl

from rageval_kit.intake.byte_blocks import byte_blocks
from rageval_kit.records.faults import Fault, InputError

_MOST_NAMED = 20
_HEADS = {
    "id", "_id", "doc_id", "docid", "docno", "document_id", "passage_id", "chunk_id", "corpus_id",
}  # fmt: skip


def read_ids(path: Path) -> pl.Series:
    """One id per line (a header is passed over), or the ids of a JSONL corpus (`_id` or `id`)."""
    ids: list[str] = []
    faults: list[Fault] = []
    for number, line in _lines(path):
        if line.startswith("{"):
            one = _json_id(line)
            if one is None:
                way_out = 'write {"_id": "…"}'
                faults.append(Fault(f"{path}:{number}", "names no id", line[:80], way_out))
            else:
                ids.append(one)
        elif number > 1 or line.lower() not in _HEADS:
            ids.append(line)
    if not ids and not faults:
        faults.append(Fault(str(path), "names no id", "", "write one id per line"))
    if faults:
        raise InputError(faults[:_MOST_NAMED])
    return pl.Series("document_id", ids, dtype=pl.String).unique()


def read_claims(path: Path) -> pl.DataFrame:
    """passage_id, claim_id: two columns, by a tab, a comma or blanks; a header is passed over."""
    rows: list[tuple[str, str]] = []
    faults: list[Fault] = []
    for number, line in _lines(path):
        separator = "\t" if "\t" in line else "," if "," in line else None
        cells = [cell.strip() for cell in line.split(separator)]
        if len(cells) != 2 or not all(cells):  # noqa: PLR2004 - a pair
            problem = "does not name a passage and a claim"
            faults.append(Fault(f"{path}:{number}", problem, line[:80], "write: passage claim"))
        elif number > 1 or cells[0].lower() not in _HEADS:
            rows.append((cells[0], cells[1]))
    if not rows and not faults:
        faults.append(Fault(str(path), "names no claim", "", "write: passage claim"))
    if faults:
        raise InputError(faults[:_MOST_NAMED])
    return pl.DataFrame(rows, schema={"passage_id": pl.String, "claim_id": pl.String}, orient="row")


def _lines(path: Path) -> list[tuple[int, str]]:
    """Numbered lines that hold anything."""
    text = b"".join(byte_blocks(path))
    try:
        told = text.decode("utf-8")
    except UnicodeDecodeError as error:
        line = text[: error.start].count(b"\n") + 1
        raise InputError.one(f"{path}:{line}", "is not UTF-8", "", "save it as UTF-8") from error
    return [(n, line.strip()) for n, line in enumerate(told.split("\n"), 1) if line.strip()]


def _json_id(line: str) -> str | None:
    import json

    try:
        node = json.loads(line)
    except ValueError:
        return None
    value = node.get("_id", node.get("id")) if isinstance(node, dict) else None
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None
