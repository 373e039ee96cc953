"""What does the embedded system do when it is asked, told of a change, or set back?"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.changes import Change
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Caller, Indexed, Request, Response, Seen, Stage
from rageval_kit.records.world import World
from rageval_kit.system.answering import Context, answer, build_context
from rageval_kit.system.cache import AnswerCache, Served, scope_of
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.counting import count_documents
from rageval_kit.system.faults import Fault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.instants import instants
from rageval_kit.system.interpret import interpret
from rageval_kit.system.inventory import inventory
from rageval_kit.system.journal import Journal
from rageval_kit.system.memory import Memory, Remembered, owner_of
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, open_handle
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.retrieval import Found, Query, Search, dense_scores, read_queries
from rageval_kit.system.rights import Reader, Visible
from rageval_kit.system.speaking import Situation, spoken
from rageval_kit.system.state import SystemState, first_state
from rageval_kit.system.swayed import about, as_document, claims_more
from rageval_kit.system.tools import Called, called_for
from rageval_kit.system.versions import cited, with_previous

LOG_SINK = "log"
NO_TOKENS = "query_has_no_tokens"
_SWITCH_S = 0.002
_LOGGED_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that can be served: its query read, its reader known."""

    request: Request
    query: Query
    reader: Reader


class System:
    """Thread-safe: every call works on the one frozen state it found when it began."""

    def __init__(self, config: EmbeddedConfig) -> None:
        self.config = config
        self._fault = config.switched
        self._cache = AnswerCache(config.semantic_threshold)
        self._memory = Memory()
        self._journal = Journal(config.log_key, config.log_lines)
        self._lock = threading.Lock()
        self._base: SystemState | None = None
        self._state: SystemState | None = None
        self._epoch = 0
        self._current = Reader("")

    def connect(self, world: World) -> None:
        self._base = first_state(world, self.config)
        self.restore()

    def restore(self) -> None:
        with self._lock:
            self._state = self._base
            self._cache.clear()
            self._memory.clear()
            self._journal.clear()

    def close(self) -> None:
        with self._lock:
            self._state = self._base = None
            self._cache.clear()
            self._memory.clear()
            self._journal.clear()

    def apply(self, change: Change) -> bool:
        with self._lock:
            self._epoch += 1
            after = self._connected().after(change, self._epoch, self.config)
            if after is None:
                return False
            self._state = after
            return True

    def ask(self, requests: Sequence[Request], *, answering: bool) -> list[Response]:
        """Search, or answer where `answering`; one response per request, in their order."""
        state = self._connected()
        requests = [interpret(request, state, self.config) for request in requests]
        queries = read_queries([request.query for request in requests], state, self.config)
        ready: list[_Asked] = []
        responses: list[Response | None] = []
        for request in requests:
            refusal = _refusal(request, queries[request.query], state.now)
            responses.append(refusal)
            if refusal is None:
                reader = self._reader(request.caller, request.query, state)
                self._current = reader
                ready.append(_Asked(request, queries[request.query], reader))
        rows = dense_scores([asked.query for asked in ready], state, self.config)
        if self._fault is Fault.PRINCIPAL_IN_SHARED_STATE:
            time.sleep(_SWITCH_S)  # where a real service awaits its index
        served = iter(
            [
                self._serve(asked, row, state, answering=answering)
                for asked, row in zip(ready, rows, strict=True)
            ]
        )
        return [next(served) if response is None else response for response in responses]

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response:
        """Opens a handle with the rights of now; content is that of `as_of`, or of now."""
        if as_of is not None and as_of.tzinfo is None:
            return Response("", {}, error="bad_request", detail=_naive("as_of", as_of))
        started = time.perf_counter()
        state = self._connected()
        opened = open_handle(handle, state, self._sight(caller, state, as_of), self.config)
        seen = Seen(
            ids=tuple(passage.chunk_id for passage in opened.passages),
            texts=tuple(passage.text for passage in opened.passages),
            status=opened.status,
        )
        self._journal.write("-", "open", handle, len(opened.passages))
        return Response("", {Stage.CITATION: seen}, latency_s=time.perf_counter() - started)

    def count(self, query: str, caller: Caller) -> Response:
        started = time.perf_counter()
        state = self._connected()
        read = read_queries([query], state, self.config)[query]
        if not read.words:
            return Response("", {}, error=NO_TOKENS, detail=_no_tokens(query))
        n = count_documents(read, state, state.counted(_reader_of(caller)), self._fault)
        self._journal.write("-", "count", query, n, words=len(read.words))
        seen = Seen(count=n, status=FOUND)
        return Response("", {Stage.SUGGEST: seen}, latency_s=time.perf_counter() - started)

    def inventory(self) -> Iterator[Indexed]:
        return inventory(self._connected(), self._fault)

    def read(self, sink: str) -> Response:
        """A sink as its operator reads it; operators are not principals of the world."""
        if sink != LOG_SINK:
            return Response("", {}, error="unknown_sink", detail=f"{sink!r}: there is {LOG_SINK!r}")
        return Response("", {Stage.LOG: Seen(texts=self._journal.lines())})

    def _connected(self) -> SystemState:
        state = self._state
        if state is None:
            raise TargetError("the embedded system holds no world; call connect(world) first")
        return state

    def _sight(self, caller: Caller, state: SystemState, as_of: datetime | None) -> Visible:
        """What a caller may see outside a search, by the rights of the clock's now."""
        at = instants(state.now, as_of, None, self._fault)
        return state.visible(_reader_of(caller), at)

    def _reader(self, caller: Caller, query: str, state: SystemState) -> Reader:
        """Who searches: the caller, by the id that the transport vouches for, and nothing else."""
        principal_id = exact_id(caller.principal_id)
        if self._fault is Fault.CLIENT_TENANT_TRUSTED:
            return Reader(principal_id, tenant_id=caller.claims.get("tenant"))
        if self._fault is Fault.SCOPE_SYNTAX_OBEYED:
            named = (one for one in state.ground.tenant_ids if f"tenant:{one}" in query)
            return Reader(principal_id, wider_tenants=tuple(named))
        if self._fault is Fault.SERVICE_IDENTITY:
            service_id = state.ground.service_id
            return Reader(service_id or "", sees_everything=service_id is None)
        if self._fault is TrustFault.QUERY_WIDENS_SCOPE:
            return Reader(principal_id, sees_everything=claims_more(query))
        return Reader(principal_id)

    def _serve(
        self,
        asked: _Asked,
        row: NDArray[np.float32] | None,
        state: SystemState,
        *,
        answering: bool,
    ) -> Response:
        started = time.perf_counter()
        request, reader = asked.request, asked.reader
        if self._fault is Fault.PRINCIPAL_IN_SHARED_STATE:
            reader = self._current
        seen = {Stage.QUERY: Seen(texts=(request.query,), as_of=request.as_of)}
        times = (request.as_of, request.known_at)
        scope = scope_of(reader, state.epoch, request.k, times, self._fault)
        owner = owner_of(request, reader.principal_id, self._fault)
        remembered = self._memory.of(owner)
        called = called_for(request.query, state.now, remembered.questions)
        if answering and self.config.cache and not (called.calls or remembered.orders):
            kept = self._cache.find(scope, asked.query)
            seen[Stage.CACHE] = Seen(() if kept is None else kept.context_ids)
            if kept is not None:
                seen[Stage.CACHE] = Seen(kept.context_ids, kept.context_texts)
                self._journal.write(
                    request.request_id,
                    "cached",
                    request.query,
                    len(kept.cited_ids),
                    words=len(asked.query.words),
                )
                self._memory.add(owner, request.query, ())
                return _response(request, _show(kept, seen), started)
        visible = state.visible(reader, instants(state.now, *times, self._fault))
        search = Search(state, self.config, asked.query, row, visible)
        found = search.run(request.k)
        seen.update(_stages(found, state))
        self._journal.write(
            request.request_id,
            "answer" if answering else "search",
            request.query,
            len(found.final[0]),
            self._candidate_text(search),
            words=len(asked.query.words),
        )
        if answering:
            served = self._answer(asked.query, found, state, visible, called, remembered)
            seen[Stage.CONTEXT] = Seen(served.context_ids, served.context_texts)
            self._memory.add(owner, request.query, served.remembered)
            if self.config.cache and not called.calls:
                self._cache.keep(scope, asked.query, replace(served, calls=()))
            _show(served, seen)
            if self._fault is TrustFault.ANSWERS_REINGESTED and served.cited_ids:
                self.apply(as_document(served.answer, reader.principal_id, state))
        return _response(request, seen, started)

    def _answer(
        self,
        query: Query,
        found: Found,
        state: SystemState,
        visible: Visible,
        called: Called,
        remembered: Remembered,
    ) -> Served:
        positions = with_previous(found.final[0].tolist(), state, self._fault)
        passages = [state.passage(position) for position in positions]
        titles = [
            passage.title if visible.titles[position] else ""
            for passage, position in zip(passages, positions, strict=True)
        ]
        context = build_context(passages, titles, self.config)
        served = answer(query, context, state.lexicon.vocabulary, self.config)
        secrets = self._holder(state, visible, context)
        at = Situation(query.text, context, called, remembered, secrets)
        served = spoken(served, at, self.config)
        return cited(served, state, self._fault)

    def _holder(
        self, state: SystemState, visible: Visible, context: Context
    ) -> Callable[[str], str]:
        """What a fault finds about a topic: in the context, or in everything there is."""

        def secrets(topic: str) -> str:
            if self._fault is TrustFault.DEPUTY_EXFILTRATES:
                return about(topic, context.passages)
            query = read_queries([topic], state, self.config)[topic]
            row = dense_scores([query], state, self.config)[0]
            search = Search(state, self.config, query, row, visible)
            positions = search.unfiltered()[0][:_LOGGED_CANDIDATES].tolist()
            return "\n".join(state.passage(position).text for position in positions)

        return secrets

    def _candidate_text(self, search: Search) -> tuple[str, ...]:
        """What of the candidates' text goes into the log: nothing."""
        if self._fault is not Fault.LOG_CANDIDATE_TEXT:
            return ()
        positions = search.unfiltered()[0][:_LOGGED_CANDIDATES].tolist()
        return tuple(f"candidate: {search.state.passage(position).text}" for position in positions)


def _reader_of(caller: Caller) -> Reader:
    return Reader(exact_id(caller.principal_id))


def _refusal(request: Request, query: Query, now: datetime) -> Response | None:
    """A request that cannot be served, said so; None for one that can."""
    times = {"as_of": request.as_of, "known_at": request.known_at}
    for name, instant in times.items():
        if instant is not None and instant.tzinfo is None:
            detail = _naive(name, instant)
            return Response(request.request_id, {}, error="bad_request", detail=detail)
    if request.known_at is not None and request.known_at > now:
        detail = f"known_at {request.known_at.isoformat()} lies after now {now.isoformat()}"
        return Response(request.request_id, {}, error="bad_request", detail=detail)
    if request.k < 1:
        detail = f"k is {request.k}; ask for at least 1"
        return Response(request.request_id, {}, error="bad_request", detail=detail)
    if not query.words:
        return Response(request.request_id, {}, error=NO_TOKENS, detail=_no_tokens(request.query))
    return None


def _naive(name: str, instant: datetime) -> str:
    return f"{name} has no time zone: {instant.isoformat()}; give it one"


def _no_tokens(query: str) -> str:
    return f"the query of {len(query)} characters holds no word, in Chinese or English"


def _response(request: Request, seen: dict[Stage, Seen], started: float) -> Response:
    return Response(request.request_id, seen, latency_s=time.perf_counter() - started)


def _stages(found: Found, state: SystemState) -> dict[Stage, Seen]:
    stages: dict[Stage, Ranked | None] = {
        Stage.RETRIEVE_SPARSE: found.sparse,
        Stage.RETRIEVE_DENSE: found.dense,
        Stage.RETRIEVE: found.fused,
        Stage.RERANK_INPUT: found.rerank_input,
        Stage.RERANK: None if found.rerank_input is None else found.final,
    }
    return {
        stage: _ranked(ranking, state) for stage, ranking in stages.items() if ranking is not None
    }


def _ranked(ranking: Ranked, state: SystemState) -> Seen:
    return Seen(
        ids=tuple(state.passage(position).chunk_id for position in ranking[0].tolist()),
        scores=tuple(ranking[1].tolist()),
    )


def _show(served: Served, seen: dict[Stage, Seen]) -> dict[Stage, Seen]:
    seen[Stage.CITATION] = Seen(served.cited_ids, served.cited_titles)
    seen[Stage.ANSWER] = Seen(texts=(served.answer,))
    seen[Stage.TOOL] = Seen(calls=served.calls)
    return seen
