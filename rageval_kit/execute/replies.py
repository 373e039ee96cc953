"""Is what an adapter handed back a reply to what was asked, or must the call count as failed?"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from rageval_kit.records.target import Request, Response, Seen, Stage, ToolCall

MALFORMED = "malformed"
MAX_ID = 4096
MAX_COUNT = 2**53
TOO_LARGE = "too_large"
MAX_SAID = 1_000_000  # characters of an answer or of all calls; every check reads every one of them
MAX_CALLS = 1_000
_SAID = (Stage.ANSWER, Stage.ANSWER_STREAM, Stage.TOOL, Stage.EGRESS, Stage.REPLY)
_STAGES = frozenset(Stage)


def replies(given: Any, requests: Sequence[Request]) -> list[Response]:
    """One usable or failed response for each request, in their order.

    An answer given to one principal must never be taken for another's: a list of another length, or
    one reply under another's request id, fails what it concerns.
    """
    if not isinstance(given, list | tuple):
        return _all_failed(requests, f"{type(given).__name__} instead of a list of replies")
    if len(given) != len(requests):
        return _all_failed(requests, f"{len(given)} replies to {len(requests)} requests")
    return [
        failed(request.request_id, "reply to another request")
        if isinstance(one, Response) and one.request_id != request.request_id
        else reply(one, request.request_id)
        for one, request in zip(given, requests, strict=True)
    ]


def reply(given: Any, request_id: str) -> Response:
    """The response as it is where it is sound; lists in it become tuples.

    What was shown counts though the call ended in an error: a leak is one whatever came after it.
    """
    problem = next(_problems(given), "")
    if problem:
        return failed(request_id, problem)
    excess = next(_excesses(given.seen), "")
    if excess:
        latency_s = _seconds(given.latency_s)
        return Response(request_id, error=TOO_LARGE, detail=excess, latency_s=latency_s)
    tidy = _is_time(given.latency_s) and all(_is_tidy(seen) for seen in given.seen.values())
    if tidy and not given.error:
        return cast("Response", given)
    seen = {
        Stage(stage): replace(
            shown, ids=tuple(shown.ids), texts=tuple(shown.texts), scores=_scores(shown)
        )
        for stage, shown in given.seen.items()
    }
    return Response(
        request_id,
        seen,
        _text(given.error),
        _text(given.detail),
        _seconds(given.latency_s),
        given.attempts,
    )


def failed(request_id: str, detail: str) -> Response:
    return Response(request_id, error=MALFORMED, detail=detail)


def _all_failed(requests: Sequence[Request], detail: str) -> list[Response]:
    return [failed(request.request_id, detail) for request in requests]


def _problems(given: Any) -> Iterator[str]:
    if not isinstance(given, Response):
        yield f"{type(given).__name__} instead of a reply"
    elif not isinstance(given.error, str) or not isinstance(given.detail, str):
        yield "error and detail must be text"
    elif not isinstance(given.seen, Mapping):
        yield f"seen is {type(given.seen).__name__}, not a mapping"
    else:
        for stage, seen in given.seen.items():
            yield from _tap_problems(stage, seen)


def _tap_problems(stage: Any, seen: Any) -> Iterator[str]:
    if not isinstance(stage, str) or stage not in _STAGES:
        yield f"{ascii(stage)[:40]} is not a stage"
    elif not isinstance(seen, Seen):
        yield f"{stage}: {type(seen).__name__} instead of what was seen"
    elif not _is_plain(seen):
        yield from _list_problems(f"{stage}: ids", seen.ids)
        yield from _list_problems(f"{stage}: texts", seen.texts)
        for item in seen.ids:
            if not _is_id(item):
                yield f"{stage}: {ascii(item)[:40]} is no id"
        if seen.count is not None and type(seen.count) is not int:
            yield f"{stage}: count is {type(seen.count).__name__}"
        elif abs(seen.count or 0) > MAX_COUNT:
            yield f"{stage}: count is more than there can be"
        if seen.status is not None and not isinstance(seen.status, str):
            yield f"{stage}: status is {type(seen.status).__name__}"
        yield from _list_problems(f"{stage}: links", seen.links)
        if not isinstance(seen.facets, list | tuple) or not all(map(_is_facet, seen.facets)):
            yield f"{stage}: facets are no counts by value"
        if seen.as_of is not None and not _is_instant(seen.as_of):
            yield f"{stage}: as_of is no time with a zone"
        if not isinstance(seen.calls, list | tuple) or not all(map(_is_call, seen.calls)):
            yield f"{stage}: calls are no calls of tools"


def _excesses(shown: Mapping[Stage, Seen]) -> Iterator[str]:
    """What is more than can be judged: a part of it alone would be a verdict on something else."""
    for stage in _SAID:
        seen = shown.get(stage, Seen())
        said = [*seen.texts, *(text for c in seen.calls for text in (c.name, c.arguments))]
        if len(seen.calls) > MAX_CALLS:
            yield f"{stage}: {len(seen.calls)} calls of tools, at most {MAX_CALLS} are judged"
        if (length := sum(map(len, said))) > MAX_SAID:
            yield f"{stage}: {length} characters, at most {MAX_SAID} are judged"


def _is_plain(seen: Seen) -> bool:
    """True at once for what sound adapters hand back; False: look closer."""
    if type(seen.ids) is not tuple or type(seen.texts) is not tuple or seen.count or seen.status:
        return False
    if seen.as_of is not None or seen.calls != () or seen.facets != () or seen.links != ():
        return False
    if not {*map(type, seen.ids), *map(type, seen.texts)} <= {str}:
        return False
    if not seen.ids:
        return True
    lengths = set(map(len, seen.ids))
    return "".join(seen.ids).isascii() and min(lengths) > 0 and max(lengths) <= MAX_ID


def _list_problems(what: str, items: Any) -> Iterator[str]:
    if isinstance(items, list | tuple):
        for item in items:
            if not isinstance(item, str):
                yield f"{what}: {type(item).__name__} among them"
    else:
        yield f"{what}: {type(items).__name__}, not a list"


def _is_instant(told: Any) -> bool:
    return isinstance(told, datetime) and told.utcoffset() is not None


def _is_call(told: Any) -> bool:
    return isinstance(told, ToolCall) and {type(told.name), type(told.arguments)} == {str}


def _is_facet(told: Any) -> bool:
    sound = isinstance(told, list | tuple) and len(told) == 2  # noqa: PLR2004 - a value, a count
    return sound and isinstance(told[0], str) and type(told[1]) is int


def _is_id(item: str) -> bool:
    """Half a surrogate pair is no text: it can be archived nowhere."""
    if item.isascii():
        return 0 < len(item) <= MAX_ID
    return len(item) <= MAX_ID and not any("\ud800" <= char <= "\udfff" for char in item)


def _text(told: str) -> str:
    return told if told.isascii() else told.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_tidy(seen: Seen) -> bool:
    return type(seen.ids) is tuple and type(seen.texts) is tuple


def _scores(shown: Seen) -> tuple[float, ...]:
    """Scores that belong to the ids: one finite number for each, or none at all."""
    scores = shown.scores
    fits = isinstance(scores, list | tuple) and len(scores) == len(shown.ids)
    return tuple(scores) if fits and all(map(_is_time, scores)) else ()


def _is_time(seconds: Any) -> bool:
    return isinstance(seconds, int | float) and math.isfinite(seconds)


def _seconds(seconds: Any) -> float:
    return float(seconds) if _is_time(seconds) else 0.0
