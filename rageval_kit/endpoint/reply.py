"""What does one JSON reply show at each stage: ids, scores and texts, or why it cannot be read?"""

import json
import math
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from rageval_kit.endpoint.config import StageMap
from rageval_kit.endpoint.paths import Absent, noun, parse
from rageval_kit.records.target import Seen, Stage, ToolCall

MAX_DETAIL = 200


class UnparsableError(ValueError):
    """The reply is not what the mapping says; the message names paths and kinds, no reply text."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail if len(detail) <= MAX_DETAIL else detail[: MAX_DETAIL - 1] + "…")


@dataclass(frozen=True, slots=True)
class Shown:
    """The stages that spoke. `repeated`: ids that came more than once, counted and left out."""

    seen: Mapping[Stage, Seen]
    repeated: int = 0


def decoded(body: bytes) -> Any:
    """The reply as JSON. NaN and Infinity are none, and neither is a number too large to hold.

    Of a key that stands twice, one reader takes the first and another the last: no reply either.
    """
    try:
        value = msgspec.json.decode(body)
        json.loads(body, object_pairs_hook=_see_each_once, parse_int=str, parse_float=str)
    except (msgspec.DecodeError, json.JSONDecodeError, UnicodeError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise UnparsableError(f"not JSON: {what} ({len(body)} bytes)") from error
    return value


def _see_each_once(pairs: list[tuple[str, Any]]) -> None:
    if len({key for key, _ in pairs}) != len(pairs):
        raise UnparsableError("a key stands twice in one object")


def read_stages(reply: Any, stages: Sequence[tuple[Stage, StageMap]]) -> Shown:
    """Every mapped stage; one that is optional and absent stays silent."""
    seen: dict[Stage, Seen] = {}
    repeated = 0
    for stage, mapped in stages:
        one = read_stage(reply, mapped, str(stage))
        if one is not None:
            seen[stage], more = one
            repeated += more
    return Shown(seen, repeated)


def read_stage(reply: Any, mapped: StageMap, where: str) -> tuple[Seen, int] | None:
    """What one stage shows and how many ids it repeated; None where it may be absent and is."""
    try:
        first = _values(reply, mapped.first)
        if mapped.optional and first == [None]:
            return None
    except Absent as absent:
        if mapped.optional:
            return None
        raise UnparsableError(f"{where}: {absent}") from absent
    try:
        ids = _ids(reply, mapped, where)
        scores = [_score(s, where) for s in _values(reply, mapped.scores)]
        texts = tuple(_text(text, where) for text in _values(reply, mapped.texts))
        calls = _calls(reply, mapped, where)
        as_of = _instant(reply, mapped.as_of, where)
        facets = _facets(reply, mapped, where)
        links = tuple(_text(link, where) for link in _values(reply, mapped.links))
    except Absent as absent:
        raise UnparsableError(f"{where}: {absent}") from absent
    if mapped.scores is not None and len(scores) != len(ids):
        raise UnparsableError(f"{where}: {len(ids)} ids, but {len(scores)} scores")
    first_at: dict[str, int] = {}
    for place, item_id in enumerate(ids):
        first_at.setdefault(item_id, place)
    kept = list(first_at.values())
    return (
        Seen(
            ids=tuple(ids[i] for i in kept),
            texts=texts,  # all of them: what a repeated hit says was shown too
            scores=tuple(scores[i] for i in kept) if scores else (),
            calls=calls,
            as_of=as_of,
            facets=facets,
            links=links,
        ),
        len(ids) - len(kept),
    )


def read_text(reply: Any, path: str, where: str) -> str:
    """One text or number, as text."""
    value = _one(reply, path, where)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int):
        return str(value)
    raise UnparsableError(f"{where}: {path} is {noun(value)}, expected text")


def read_texts(reply: Any, path: str, where: str) -> tuple[str, ...]:
    try:
        return tuple(_text(text, where) for text in parse(path).values(reply))
    except Absent as absent:
        raise UnparsableError(f"{where}: {absent}") from absent


def read_count(reply: Any, path: str, where: str) -> int:
    return _count(_one(reply, path, where), where, path)


def _one(reply: Any, path: str, where: str) -> Any:
    try:
        values = parse(path).values(reply)
    except Absent as absent:
        raise UnparsableError(f"{where}: {absent}") from absent
    if len(values) != 1:
        raise UnparsableError(f"{where}: {path} gives {len(values)} values, expected one")
    return values[0]


def _values(reply: Any, path: str | None) -> list[Any]:
    return [] if path is None else parse(path).values(reply)


def _ids(reply: Any, mapped: StageMap, where: str) -> list[str]:
    if mapped.positions is None:
        return [_id(value, where) for value in _values(reply, mapped.ids)]
    candidates = [_id(value, where) for value in _values(reply, mapped.of)]
    positions = _values(reply, mapped.positions)
    return [candidates[place] for place in _places(positions, len(candidates), where)]


def _calls(reply: Any, mapped: StageMap, where: str) -> tuple[ToolCall, ...]:
    """Arguments that are no text are JSON, and shown as JSON; without a path they are empty."""
    names = [_text(name, where) for name in _values(reply, mapped.names)]
    sent = _values(reply, mapped.arguments)
    if mapped.arguments is None:
        sent = [""] * len(names)
    if len(sent) != len(names):
        raise UnparsableError(f"{where}: {len(names)} names, but {len(sent)} arguments")
    said = (a if isinstance(a, str) else msgspec.json.encode(a).decode() for a in sent)
    return tuple(map(ToolCall, names, said))


def _facets(reply: Any, mapped: StageMap, where: str) -> tuple[tuple[str, int], ...]:
    values = [_text(value, where) for value in _values(reply, mapped.values)]
    counts = _values(reply, mapped.counts)
    if len(values) != len(counts):
        raise UnparsableError(f"{where}: {len(values)} values, but {len(counts)} counts")
    return tuple(zip(values, (_count(n, where, "a facet") for n in counts), strict=True))


def _count(value: Any, where: str, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise UnparsableError(f"{where}: {what} is {noun(value)}, expected a count")
    return value


def _instant(reply: Any, path: str | None, where: str) -> datetime | None:
    """An instant with its zone; null where the question was resolved to none."""
    value = None if path is None else _one(reply, path, where)
    if value is None:
        return None
    try:
        instant = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise UnparsableError(f"{where}: {path} is no instant with a time zone")
    return instant


def _places(positions: Sequence[Any], among: int, where: str) -> Iterator[int]:
    """Every candidate exactly once: a rerank reply that loses one has lost its meaning."""
    left = set(range(among))
    for place in positions:
        if isinstance(place, bool) or not isinstance(place, int):
            raise UnparsableError(f"{where}: a position is {noun(place)}, expected a whole number")
        if place not in left:
            fault = "repeats" if 0 <= place < among else "names no candidate with"
            raise UnparsableError(f"{where}: {fault} position {place} of {among} candidates")
        left.remove(place)
        yield place
    if left:
        raise UnparsableError(f"{where}: omits position {min(left)} of {among} candidates")


def _id(value: Any, where: str) -> str:
    """Ids are opaque text; a whole number is taken as it is written."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value:
        what = "empty" if value == "" else noun(value)
        raise UnparsableError(f"{where}: an id is {what}, expected text")
    return unicodedata.normalize("NFC", value)


def _score(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UnparsableError(f"{where}: a score is {noun(value)}, expected a finite number")
    return float(value)


def _text(value: Any, where: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnparsableError(f"{where}: a text is {noun(value)}, expected text")
    return value
