"""What did a whole reply hold beside what its mapping names: other fields, headers, failures?

A mapping says what is read as ids and texts; a client is sent everything. So every further text is
kept here, for the checks to search; none of it is archived.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain
from typing import Any

from rageval_kit.endpoint.calls import Reply
from rageval_kit.endpoint.config import StageMap
from rageval_kit.endpoint.paths import EACH, parse
from rageval_kit.endpoint.reply import UnparsableError, decoded
from rageval_kit.records.target import Seen, Stage

MAX_FAILED = 500_000  # characters of a reply that counts as failed anyway
Steps = tuple[str | int | None, ...]
# What a status or a time says is read, but no text of it is searched.
_SEARCHED = ("ids", "of", "texts", "names", "arguments", "values", "links")


def steps_of(stages: Sequence[StageMap]) -> list[Steps]:
    """The places that a mapping reads as text that checks look at."""
    paths = [
        getattr(one, part.name) for one in stages for part in fields(one) if part.name in _SEARCHED
    ]
    return [parse(path).steps for path in paths if path is not None]


def beyond(reply: Reply, mapped: Sequence[Steps] = ()) -> Mapping[Stage, Seen]:
    """The tap `reply`: texts and keys of the body outside `mapped`, values of headers, other tries.

    Without `mapped` that is all of it. A reply that failed is cut, one that counts is not: of that
    a part would be a verdict on something else.
    """
    if not reply.status and not reply.earlier:
        return {}
    texts = list(chain(reply.headers, _body(reply.body, mapped)))
    for one in reply.earlier:
        texts += [*one.headers, *_body(one.body, ())]
    kept = dict.fromkeys(text for text in texts if text)
    return {Stage.REPLY: Seen(texts=tuple(_cut(kept) if reply.error else kept))}


def both(first: Mapping[Stage, Seen], then: Mapping[Stage, Seen]) -> dict[Stage, Seen]:
    """What two calls showed; of a stage that both show the later, of `reply` either."""
    texts = [text for seen in (first, then) for text in seen.get(Stage.REPLY, Seen()).texts]
    return {**first, **then, Stage.REPLY: Seen(texts=tuple(dict.fromkeys(texts)))}


def _body(body: bytes, mapped: Sequence[Steps]) -> Iterator[str]:
    """A body that is no JSON is one text."""
    try:
        yield from _leaves(decoded(body), mapped)
    except UnparsableError:
        yield body.decode("utf-8", "replace")


def _leaves(reply: Any, mapped: Sequence[Steps]) -> Iterator[str]:
    """Texts in any depth, with a stack of its own; a place stands for all that is below it."""
    todo: list[tuple[Any, Sequence[Steps]]] = [(reply, mapped)]
    while todo:
        node, paths = todo.pop()
        if () in paths:
            continue
        if isinstance(node, str):
            yield node
        elif isinstance(node, dict):
            for key, part in node.items():
                below = [path[1:] for path in paths if path[0] == key]
                if not below:
                    yield key
                todo.append((part, below))
        elif isinstance(node, list):
            for place, part in enumerate(node):
                todo.append((part, [p[1:] for p in paths if p[0] is EACH or p[0] == place]))


def _cut(texts: Mapping[str, None]) -> Iterator[str]:
    left = MAX_FAILED
    for text in texts:
        if left <= 0:
            return
        yield text[:left]
        left -= len(text)
