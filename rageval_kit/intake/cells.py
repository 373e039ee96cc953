"""One cell read as what its column holds: an id, text, a time, a flag or a list of ids."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

from rageval_kit.corpus.times import Side, TimeError, parse_instant
from rageval_kit.text.normalise import nfc

TRUE = ("true", "yes", "1", "是")
FALSE = ("false", "no", "0", "否")
HIGHEST = 1_000_000_000
_FLAGS: Mapping[str, bool] = {**dict.fromkeys(TRUE, True), **dict.fromkeys(FALSE, False)}


class Kind(StrEnum):
    """What a column holds. `START`, `END` and `INSTANT` differ in what a bare date means."""

    ID = "id"
    TEXT = "text"
    WORD = "word"
    START = "start"
    END = "end"
    INSTANT = "instant"
    FLAG = "flag"
    IDS = "ids"
    NUMBER = "number"
    PAIRS = "pairs"


TIMES = frozenset({Kind.START, Kind.END, Kind.INSTANT})


class CellError(ValueError):
    """A cell that cannot be what its column holds."""

    def __init__(self, rule: str, way_out: str) -> None:
        self.rule = rule
        self.way_out = way_out
        super().__init__(f"{rule}; {way_out}")


def read_id(value: Any) -> str:
    """Read an id: text in NFC. A whole number stands for its digits; 7.0 is refused."""
    if type(value) is str:
        return nfc(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, float):
        raise CellError(
            "an id cannot be a number with a point", "write it as text, in quotes, as it is meant"
        )
    raise CellError("is not text", "write the id as text, in quotes")


def read_text(value: Any) -> str:
    if type(value) is str:
        return value
    raise CellError("is not text", "write it in quotes")


def read_flag(value: Any) -> bool:
    """Read a boolean, or one of the listed spellings; anything else is an error, never false."""
    if type(value) is bool:
        return value
    spelling = str(value).strip().casefold() if type(value) in (str, int) else ""
    if spelling in _FLAGS:
        return _FLAGS[spelling]
    raise CellError(
        "is neither yes nor no",
        f"write one of {', '.join(TRUE)} or one of {', '.join(FALSE)}",
    )


def read_ids(value: Any) -> list[str]:
    """Read a list of ids: a list, or in a CSV cell a JSON list or ids divided by semicolons."""
    if type(value) is str:
        if value.lstrip().startswith("["):
            try:
                value = json.loads(value)
            except ValueError:
                raise CellError("is not a JSON list", 'write ["a", "b"] or a;b') from None
        else:
            value = [part.strip() for part in value.split(";") if part.strip()]
    if not isinstance(value, list):
        raise CellError("is not a list", "write a list of ids, [] for none")
    ids = [read_id(item) for item in value]
    if not all(item.strip() for item in ids):
        raise CellError("holds an empty id", "leave it out, or write the id")
    return ids


def read_number(value: Any) -> int:
    """Read a whole number of 0 or more: a number, or its digits."""
    if type(value) is str and re.fullmatch(r"\s*[0-9]{1,9}\s*", value):
        return int(value)
    if type(value) is int and 0 <= value < HIGHEST:
        return value
    raise CellError("is not a whole number", f"write one from 0 to {HIGHEST - 1}")


def read_pairs(value: Any) -> dict[str, str]:
    """Read names with a text each: an object, or in a CSV cell a JSON object."""
    if type(value) is str:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            raise CellError("is not a JSON object", 'write {"author": "…"}') from None
    if not isinstance(value, Mapping):
        raise CellError("is not an object", "write names with a text each")
    pairs = {name: text for name, text in value.items() if name is not None and text is not None}
    if not all(type(one) is str and one.strip() for one in pairs) or not all(
        type(text) is str for text in pairs.values()
    ):
        raise CellError("holds what is not text", "write names with a text each, in quotes")
    return pairs


def time_text(value: Any) -> str:
    """Give the text of a time; a column of dates or datetimes (Parquet) is written out."""
    if type(value) is str:
        return value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise CellError("the time has no offset from UTC", "store it with a time zone")
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    raise CellError("is not a time", 'write text, as in "2024-06-30" or "2024-06-30T09:00:00Z"')


def read_time(kind: Kind, text: str, timezone: str) -> datetime:
    try:
        return parse_instant(text, timezone, Side.END if kind is Kind.END else Side.START)
    except TimeError as error:
        raise CellError(error.problem, error.way_out) from None
