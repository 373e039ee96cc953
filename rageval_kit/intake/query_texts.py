"""What do the queries say that people are to judge documents for?"""

from collections.abc import Iterator
from pathlib import Path

from rageval_kit.intake.byte_blocks import byte_blocks
from rageval_kit.intake.files import json_problem
from rageval_kit.intake.table_objects import read_json
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.text.normalise import nfc

_MOST_NAMED = 20
_WAY_OUT = 'write {"_id": "q1", "text": "…"} or q1<tab>…'
_KEYS = (("_id", "query_id", "id"), ("text", "query"))  # of the id, of the text


class _NoQueryError(Exception):
    """A line that says no query, with the problem."""


def read_query_texts(path: Path) -> dict[str, str]:
    """Query id to text, from lines of JSON (`_id` or `query_id`, `text`) or `id<tab>text`.

    Ids are in NFC, as they are wherever else they are read; a whole number stands for its digits.
    """
    texts: dict[str, str] = {}
    faults: list[Fault] = []
    for number, line in _lines(path):
        try:
            query, text = _query(line.decode("utf-8"))
        except UnicodeDecodeError:
            faults.append(Fault(f"{path}:{number}", "is not UTF-8", "", "save it as UTF-8"))
            continue
        except _NoQueryError as error:
            faults.append(Fault(f"{path}:{number}", str(error), _shown(line), _WAY_OUT))
            continue
        if texts.setdefault(query, text) != text:
            problem = f"gives query '{query}' a second text"
            faults.append(Fault(f"{path}:{number}", problem, _shown(line), "keep the right one"))
    if len(faults) > _MOST_NAMED:
        more = Fault(str(path), f"and {len(faults) - _MOST_NAMED:,} more lines", "", "likewise")
        faults = [*faults[:_MOST_NAMED], more]
    if faults:
        raise InputError(faults)
    return texts


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Only a line feed ends a line: text may hold what Unicode calls an end of line."""
    number = 0
    for block in byte_blocks(path):
        for line in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            if line.strip():
                yield number, line.removesuffix(b"\r")


def _query(line: str) -> tuple[str, str]:
    if not line.lstrip().startswith("{"):
        name, tab, text = line.partition("\t")
        if not tab or not name:
            raise _NoQueryError("is no query")
        return nfc(name), text
    try:
        node = read_json(line)
    except (ValueError, RecursionError) as error:
        raise _NoQueryError(json_problem(error)) from error
    said, asked = (next((node[key] for key in keys if key in node), None) for keys in _KEYS)
    if isinstance(said, bool) or not isinstance(said, str | int) or not isinstance(asked, str):
        raise _NoQueryError("is no query")
    return nfc(str(said)), asked


def _shown(line: bytes) -> str:
    return line[:60].decode("utf-8", "replace")
