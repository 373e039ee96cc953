"""Which answers given before may be given again?

An entry is found only under the scope it was made in: the reader, the state (so any change of
rights, content or clock makes it unreachable), the times asked for. Within a scope the same text
hits, or a text whose vector is near enough.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.dense import Vectors, cosines
from rageval_kit.system.faults import Fault
from rageval_kit.system.rights import Reader

_MOST_SCOPES = 4096
_MOST_PER_SCOPE = 1024


@dataclass(frozen=True, slots=True)
class Served:
    """An answer with all that was shown beside it."""

    answer: str
    cited_ids: tuple[str, ...]
    cited_titles: tuple[str, ...]
    context_ids: tuple[str, ...]
    context_texts: tuple[str, ...]


@dataclass(slots=True)
class _Shelf:
    exact: dict[str, Served] = field(default_factory=dict)
    vectors: list[NDArray[np.float32]] = field(default_factory=list)
    served: list[Served] = field(default_factory=list)


def scope_of(
    reader: Reader,
    epoch: int,
    k: int,
    times: tuple[datetime | None, datetime | None],
    fault: Fault | None,
) -> Hashable:
    """`times` are the as_of and known_at of the request; left out they follow the clock."""
    if fault is Fault.CACHE_KEY_WITHOUT_PRINCIPAL:
        return (epoch, k, times)
    if fault is Fault.CACHE_IGNORES_RIGHTS:
        return (reader, k, times)
    return (reader, epoch, k, times)


class AnswerCache:
    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._scopes: OrderedDict[Hashable, _Shelf] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, scope: Hashable, text: str, vector: Vectors) -> Served | None:
        with self._lock:
            shelf = self._scopes.get(scope)
            if shelf is None:
                return None
            self._scopes.move_to_end(scope)
            if text in shelf.exact:
                return shelf.exact[text]
            near = cosines(vector[None, :], np.stack(shelf.vectors))[0]
            nearest = int(near.argmax())
            return shelf.served[nearest] if near[nearest] >= self._threshold else None

    def keep(self, scope: Hashable, text: str, vector: Vectors, served: Served) -> None:
        with self._lock:
            shelf = self._scopes.setdefault(scope, _Shelf())
            if text in shelf.exact or len(shelf.served) >= _MOST_PER_SCOPE:
                return
            shelf.exact[text] = served
            shelf.vectors.append(vector)
            shelf.served.append(served)
            if len(self._scopes) > _MOST_SCOPES:
                self._scopes.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._scopes.clear()
