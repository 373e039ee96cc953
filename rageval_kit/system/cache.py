"""Which answers given before may be given again?

An entry is found only under the scope it was made in: the reader, the state (so any change of
rights, content or clock makes it unreachable), the times asked for. Within a scope the same text
hits, or a text with the same words of the index whose vector is near enough: a question that says
another name is another question, however alike they are.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from rageval_kit.records.target import ToolCall
from rageval_kit.system.dense import Vectors, cosines
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.retrieval import Query
from rageval_kit.system.rights import Reader

_MOST_SCOPES = 4096
_MOST_PER_SCOPE = 1024


@dataclass(frozen=True, slots=True)
class Served:
    """An answer with all that was shown beside it; `remembered` is empty in a clean system."""

    answer: str
    cited_ids: tuple[str, ...]
    cited_titles: tuple[str, ...]
    context_ids: tuple[str, ...]
    context_texts: tuple[str, ...]
    calls: tuple[ToolCall, ...] = ()
    remembered: tuple[str, ...] = ()


@dataclass(slots=True)
class _Shelf:
    """`alike` by the words of the index."""

    exact: dict[str, Served] = field(default_factory=dict)
    alike: dict[bytes, list[tuple[Vectors, Served]]] = field(default_factory=dict)


def scope_of(
    reader: Reader,
    epoch: int,
    k: int,
    times: tuple[datetime | None, datetime | None],
    fault: AnyFault | None,
) -> Hashable:
    """`times` are the as_of and known_at of the request; left out they follow the clock."""
    if fault is Fault.CACHE_KEY_WITHOUT_PRINCIPAL:
        return (epoch, k, times)
    if fault is Fault.CACHE_IGNORES_RIGHTS:
        return (reader, k, times)
    if fault is TimeFault.CACHE_KEY_WITHOUT_TIME:
        return (reader, epoch, k)
    return (reader, epoch, k, times)


class AnswerCache:
    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._scopes: OrderedDict[Hashable, _Shelf] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, scope: Hashable, query: Query) -> Served | None:
        with self._lock:
            shelf = self._scopes.get(scope)
            if shelf is None:
                return None
            self._scopes.move_to_end(scope)
            alike = shelf.alike.get(query.numbers.tobytes(), [])
            if query.text in shelf.exact or not alike:
                return shelf.exact.get(query.text)
            near = cosines(query.vector[None, :], np.stack([vector for vector, _ in alike]))[0]
            nearest = int(near.argmax())
            return alike[nearest][1] if near[nearest] >= self._threshold else None

    def keep(self, scope: Hashable, query: Query, served: Served) -> None:
        with self._lock:
            shelf = self._scopes.setdefault(scope, _Shelf())
            if query.text in shelf.exact or len(shelf.exact) >= _MOST_PER_SCOPE:
                return
            shelf.exact[query.text] = served
            alike = shelf.alike.setdefault(query.numbers.tobytes(), [])
            alike.append((query.vector, served))
            if len(self._scopes) > _MOST_SCOPES:
                self._scopes.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._scopes.clear()
