"""Which answers given before may be given again?

An entry is found only under the scope it was made in: the reader, the state (so any change of
rights, content or clock makes it unreachable), the times asked for. Within a scope the same text
hits, or a text with the same words of the index whose vector is near enough: a question that says
another name is another question, however alike they are.
"""

import threading
from collections import OrderedDict
from collections.abc import Hashable, MutableMapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import numpy as np

from rageval_kit.records.target import ToolCall
from rageval_kit.system.belonging import Reader, tenants_of, units_of
from rageval_kit.system.dense import Vectors, cosines
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.people import status_at
from rageval_kit.system.retrieval import Query
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import SystemState

PAIRS = "pairs"  # where a fault keeps what no reader asked
_MOST_SCOPES = 4096
_MOST_PER_SCOPE = 1024


@dataclass(frozen=True, slots=True)
class Served:
    """An answer with all that was shown beside it; `remembered`, `links`: under a fault."""

    answer: str
    cited_ids: tuple[str, ...]
    cited_titles: tuple[str, ...]
    context_ids: tuple[str, ...]
    context_texts: tuple[str, ...]
    calls: tuple[ToolCall, ...] = ()
    remembered: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(slots=True)
class Shelf:
    """`alike` by the words of the index."""

    exact: MutableMapping[str, Served] = field(default_factory=dict)
    alike: MutableMapping[bytes, list[tuple[Vectors, Served]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an answer is looked for: by the same text, by like words, where nothing was found.

    `beside`: where else, under a fault.
    """

    same: Hashable
    alike: Hashable
    nothing: Hashable
    beside: Hashable = None


def scope_of(
    reader: Reader,
    state: SystemState,
    k: int,
    times: tuple[datetime | None, datetime | None],
    fault: AnyFault | None,
) -> Scope:
    """One and the same for all three. `times`: as_of and known_at; left out, the clock's."""
    same: Hashable = (reader, state.epoch, k, times)
    if fault is Fault.CACHE_KEY_WITHOUT_PRINCIPAL:
        same = (state.epoch, k, times)
    if fault is Fault.CACHE_IGNORES_RIGHTS:
        same = (reader, k, times)
    if fault is TimeFault.CACHE_KEY_WITHOUT_TIME:
        same = (reader, state.epoch, k)
    if fault is UnseenFaultB.ANSWERS_KEPT_BY_GROUPS:
        same = (_profile(reader, state), state.epoch, k, times)
    if fault is UnseenFaultB.ANSWERS_KEPT_BY_DAY:
        days = tuple(one and one.astimezone(UTC).date() for one in times)
        same = (reader, state.epoch, k, days)
    alike, nothing = same, same
    if fault is UnseenFaultB.KEPT_ANSWER_CHECKED_BY_CITATIONS:
        same = alike = (state.epoch, k, times)
    if fault is DeputyFault.SEMANTIC_CACHE_SHARED:
        alike = (state.epoch, k, times)
    if fault is DeputyFault.SEMANTIC_CACHE_BY_TENANT:
        person = state.people.principals.get(reader.principal_id)
        alike = (person and person.tenant_id, state.epoch, k, times)
    if fault is DeputyFault.NOTHING_FOUND_SHARED:
        nothing = (state.epoch, k, times)
    return Scope(same, alike, nothing, PAIRS if fault is DeputyFault.PAIRS_WARM_CACHE else None)


def _profile(reader: Reader, state: SystemState) -> Hashable:
    """What a reader holds as one of many."""
    person = state.people.principals.get(reader.principal_id)
    if person is None:
        return reader
    return (
        replace(reader, principal_id=""),
        frozenset(tenants_of(state.people, reader, state.now)),
        frozenset(units_of(state.people, reader.principal_id, state.now, None)),
        person.clearance,
        person.compartments,
        status_at(person, state.now),
    )


def may_have(
    kept: Served | None, state: SystemState, visible: Visible, fault: AnyFault | None
) -> bool:
    """Whether what is kept is the reader's: it is, where it was found in the reader's scope."""
    if fault is not UnseenFaultB.KEPT_ANSWER_CHECKED_BY_CITATIONS or kept is None:
        return True
    positions = (state.position(one) for one in kept.cited_ids)
    return all(position is not None and visible.passages[position] for position in positions)


class AnswerCache:
    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._scopes: OrderedDict[Hashable, Shelf] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, scope: Scope, query: Query) -> Served | None:
        with self._lock:
            for key in dict.fromkeys((scope.same, scope.nothing, scope.beside)):
                same = None if key is None else self._shelf(key).exact.get(query.text)
                if same is not None:
                    return same
            alike = self._shelf(scope.alike).alike.get(query.numbers.tobytes(), [])
            if not alike:
                return None
            near = cosines(query.vector[None, :], np.stack([vector for vector, _ in alike]))[0]
            nearest = int(near.argmax())
            return alike[nearest][1] if near[nearest] >= self._threshold else None

    def told(self, query: Query, fault: AnyFault | None) -> str | None:
        """What is said of answers that are kept for others: nothing."""
        if fault is not WorldFault.CACHE_STATE_TOLD:
            return None
        with self._lock:
            known = any(query.text in shelf.exact for shelf in self._scopes.values())
        return "hit" if known else "miss"

    def keep(self, scope: Scope, query: Query, served: Served) -> None:
        with self._lock:
            same = self._shelf(scope.same if served.cited_ids else scope.nothing).exact
            if query.text in same or len(same) >= _MOST_PER_SCOPE:
                return
            same[query.text] = served
            alike, said = self._shelf(scope.alike).alike, query.numbers.tobytes()
            alike[said] = [*alike.get(said, []), (query.vector, served)]

    def _shelf(self, key: Hashable) -> Shelf:
        shelf = self._scopes.get(key) or self._scopes.setdefault(key, self._made(key))
        self._scopes.move_to_end(key)
        if len(self._scopes) > _MOST_SCOPES:
            self._scopes.popitem(last=False)
        return shelf

    def _made(self, key: Hashable) -> Shelf:
        """Where the answers of a scope lie: here, in memory."""
        del key
        return Shelf()

    def clear(self) -> None:
        with self._lock:
            self._scopes.clear()
