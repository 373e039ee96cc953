"""Which payloads does a user's file hold, one JSON object a line?

`{"id", "text", "lang", "source", "licence"}`, and if wanted `technique` and `goal`. Refused as a
whole, every fault with its line. A line is read no further than it may be long, so that a file of
one endless line costs nothing.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from rageval_kit.generate.family import nearest
from rageval_kit.generate.payload.orders import GOALS
from rageval_kit.generate.payload.techniques import LANGUAGES, SLOT, Technique, shipped
from rageval_kit.records.faults import Fault, InputError

LONGEST_LINE = 256_000  # bytes
LONGEST_TEXT = 20_000  # characters: a passage with more is no passage
_LONGEST_ID = 100
_REQUIRED = ("id", "text", "lang", "source", "licence")
_FIELDS = (*_REQUIRED, "technique", "goal")
_SHOWN = 50
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"


def techniques(file: str = "") -> dict[str, Technique]:
    """Those of the kit, or those of a user's file, by id."""
    return _read_once(*_as_it_is(file))[0] if file else dict(shipped())


def digest(file: str) -> str:
    """sha-256 of a user's file: its payloads are named by what it says, not by where it lies."""
    return _read_once(*_as_it_is(file))[1]


def _as_it_is(file: str) -> tuple[Path, int]:
    path = Path(file)
    try:
        return path, path.stat().st_mtime_ns
    except OSError as error:
        raise _unopened(path, error) from None


@lru_cache(maxsize=8)
def _read_once(path: Path, changed: int) -> tuple[dict[str, Technique], str]:
    del changed  # a part of the key: a file that was mended is read again
    found = {one.id: one for one in read_payloads(path)}
    return found, hashlib.sha256(path.read_bytes()).hexdigest()


def read_payloads(path: Path) -> tuple[Technique, ...]:
    """The payloads of a file in its order; InputError lists what is wrong, by line."""
    faults: list[Fault] = []
    found: list[Technique] = []
    lines: dict[str, int] = {}
    try:
        with path.open("rb") as file:
            for number, raw in _lines(file):
                where = f"{path}:{number}"
                data = _object(raw, where, faults)
                if data is None:
                    continue
                wrong = list(_faults(data, where))
                first = lines.setdefault(str(data.get("id")), number)
                if first != number:
                    met = str(data["id"])[:_LONGEST_ID]
                    wrong.append(Fault(where, f"has the id of line {first}", met, "rename one"))
                faults += wrong
                if not wrong:
                    found.append(_technique(data))
    except OSError as error:
        raise _unopened(path, error) from None
    if not found and not faults:
        faults.append(Fault(str(path), "holds no payload", way_out="write one object a line"))
    if faults:
        more = len(faults) - _SHOWN
        rest = [Fault(str(path), f"and {more} more faults")] if more > 0 else []
        raise InputError([*faults[:_SHOWN], *rest])
    return tuple(found)


def _unopened(path: Path, error: OSError) -> InputError:
    return InputError.one(str(path), "cannot be opened", str(error.strerror), "check the path")


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Each line that is not blank; of one that is too long a byte more than may be."""
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        rest = raw
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE + 1)
        if number == 1:
            raw = raw.removeprefix(_BOM)
        if raw.strip():
            yield number, raw
        if number == 1 and raw.startswith(_UTF16):
            return


def _object(raw: bytes, where: str, faults: list[Fault]) -> dict[str, Any] | None:
    problem, met, way_out = "", "", "mend the line"
    data: Any = None
    if raw.startswith(_UTF16):
        problem, way_out = "is UTF-16, not UTF-8", "save the file as UTF-8"
    elif len(raw) > LONGEST_LINE:
        problem, way_out = f"is longer than {LONGEST_LINE:,} bytes", "one payload a line"
    else:
        try:
            data = json.loads(raw.decode(), object_pairs_hook=_unique)
            json.dumps(data, ensure_ascii=False).encode()
        except UnicodeDecodeError as error:
            problem, met = "is not UTF-8", f"byte 0x{raw[error.start]:02x}"
            way_out = "save the file as UTF-8"
        except UnicodeEncodeError:
            problem = "holds half a surrogate pair, which is not text"
        except (ValueError, RecursionError) as error:
            problem, met = "is not JSON", str(error)[:80]
        if not problem and not isinstance(data, dict):
            problem, met = "is not an object", type(data).__name__
    if problem:
        faults.append(Fault(where, problem, met, way_out))
        return None
    return dict(data)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key stands twice")
    return data


def _faults(data: dict[str, Any], where: str) -> Iterator[Fault]:
    for key in data.keys() - {*_FIELDS}:
        yield Fault(
            where, "has a field that is not one of a payload", key, nearest(key, {*_FIELDS})
        )
    for key in _FIELDS:
        value = data.get(key)
        if key in _REQUIRED and (value is None or value == ""):
            yield Fault(where, f"lacks {key}", way_out="add it")
        elif value is not None and not isinstance(value, str):
            yield Fault(where, f"has a {key} that is not text", type(value).__name__)
    lang, goal, text = data.get("lang"), data.get("goal"), data.get("text")
    if isinstance(lang, str) and lang and lang not in LANGUAGES:
        yield Fault(where, "is in a language the kit has no orders in", lang, "use en or zh")
    if isinstance(goal, str) and goal and goal not in GOALS:
        yield Fault(where, "has a goal that is none", goal, nearest(goal, {*GOALS}))
    if isinstance(text, str) and len(text) > LONGEST_TEXT:
        yield Fault(where, f"has a text of more than {LONGEST_TEXT:,} characters", str(len(text)))
    if isinstance(text, str) and text.count(SLOT) > 1:
        yield Fault(where, f"has more than one {SLOT}", way_out="leave one")
    for key, article in (("id", "an"), ("technique", "a")):
        name = data.get(key)
        if isinstance(name, str) and (len(name) > _LONGEST_ID or not name.isprintable()):
            problem, met = "that cannot be printed on a line", f"{len(name)} characters"
            yield Fault(where, f"has {article} {key} {problem}", met, "give a short one")


def _technique(data: dict[str, Any]) -> Technique:
    return Technique(
        data["id"],
        {data["lang"]: (data["text"],)},
        data["source"],
        data["licence"],
        kind=data.get("technique") or data["id"],
        goal=data.get("goal") or "",
    )
