"""What does the embedded system do when it is asked, told of a change, or set back?"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.changes import Change
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Caller, Indexed, Request, Response, Seen, Stage
from rageval_kit.records.world import World
from rageval_kit.system import doors
from rageval_kit.system.answering import Context, answer, build_context
from rageval_kit.system.at_once import AtOnce
from rageval_kit.system.audit import OPEN, SEARCH, Asked, Trail
from rageval_kit.system.believing import roles_read, taken_for, warm
from rageval_kit.system.cache import Served, may_have, scope_of
from rageval_kit.system.clicking import clicked
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.counting import count_documents
from rageval_kit.system.crediting import credited
from rageval_kit.system.disturbed import asking, unavailable
from rageval_kit.system.egress import Sent, as_seen, embedded, to_answer, to_search
from rageval_kit.system.events import after as after_event
from rageval_kit.system.events import quoted, read_from, still_readable
from rageval_kit.system.expansion import expanded
from rageval_kit.system.faults import Fault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.instants import instants
from rageval_kit.system.interpret import interpret
from rageval_kit.system.inventory import inventory
from rageval_kit.system.journal import Journal
from rageval_kit.system.list_cache import ListCache
from rageval_kit.system.memory import Memory, Remembered, owner_of
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, open_handle
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.recalling import recalled
from rageval_kit.system.redis_cache import answer_cache
from rageval_kit.system.refusals import logged
from rageval_kit.system.refusing import Conscience
from rageval_kit.system.retrieval import Found, Query, Search, dense_scores, read_queries
from rageval_kit.system.rewriting import resolved, searched
from rageval_kit.system.rights import Reader, Visible
from rageval_kit.system.shown import as_shown, with_hint
from rageval_kit.system.signed_links import followed, links_to
from rageval_kit.system.slips import Sight, let_slip
from rageval_kit.system.speaking import Situation, spoken
from rageval_kit.system.state import SystemState, first_state
from rageval_kit.system.streaming import drafted, pieces
from rageval_kit.system.swayed import about, as_document, claims_more
from rageval_kit.system.tallies import Tallies
from rageval_kit.system.tallying import tallied
from rageval_kit.system.tools import Called, called_for
from rageval_kit.system.versions import cited, with_previous
from rageval_kit.system.visit import Desk, Visit

LOG_SINK, AUDIT_SINK = "log", "audit"
SINKS = frozenset({LOG_SINK, AUDIT_SINK})
NO_TOKENS = "query_has_no_tokens"
RIGHTS_UNAVAILABLE = "rights_unavailable"
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
        self._cache = answer_cache(config)
        self._memory = Memory()
        self._journal = Journal(config.log_key, config.log_lines)
        self._desk = Desk(config.log_key)
        self._trail = Trail(config)
        self._lists = ListCache(config)
        self._tallies = Tallies(config.switched)
        self._at_once = AtOnce(config.switched)
        self._conscience = Conscience(config)
        self._lock = threading.Lock()
        self._base: SystemState | None = None
        self._state: SystemState | None = None
        self._epoch = 0
        self._current = Reader("")

    def connect(self, world: World, beside: "System | None" = None) -> None:
        """`beside`: a system of the same make whose world shares passages with this one."""
        like = None if beside is None else beside._base  # noqa: SLF001 - of its own kind
        self._base = first_state(world, self.config, like)
        self._conscience.connect(world)
        self.restore()

    def restore(self) -> None:
        with self._lock:
            self._state = self._base
            self._conscience.restore()
            self._cache.clear()
            self._lists.clear()
            self._tallies.clear()
            self._memory.clear()
            self._desk.clear()
            self._trail.clear()
            self._journal.clear()

    def close(self) -> None:
        with self._lock:
            self._state = self._base = None
            self._conscience.close()
            self._cache.clear()
            self._lists.clear()
            self._tallies.clear()
            self._memory.clear()
            self._desk.clear()
            self._trail.clear()
            self._journal.clear()

    def apply(self, change: Change) -> bool:
        with self._lock:
            self._epoch += 1
            state, first = self._held()
            self._conscience.apply(change, self._epoch)
            after = after_event(state, first, change, self._epoch, self.config)
            if after is None:
                return False
            self._state = after
            return True

    def ask(self, requests: Sequence[Request], *, answering: bool) -> list[Response]:
        """Search, or answer where `answering`; one response per request, in their order."""
        state = self._connected()
        requests = [resolved(request, self._memory, self._fault) for request in requests]
        requests = [interpret(request, state, self.config) for request in requests]
        queries = read_queries([request.query for request in requests], state, self.config)
        ready: list[_Asked] = []
        responses: list[Response | None] = []
        for request in requests:
            refusal = _refusal(request, queries[request.query], state.now)
            refusal = refusal or self._outage(state, request.request_id)
            responses.append(refusal)
            if refusal is None:
                reader = self._entitled(self._reader(request.caller, request.query, state), state)
                self._current = reader
                ready.append(_Asked(request, queries[request.query], reader))
        rows = dense_scores([asked.query for asked in ready], state, self.config)
        if self._fault is Fault.PRINCIPAL_IN_SHARED_STATE:
            time.sleep(_SWITCH_S)  # where a real service awaits its index
        with self._at_once.asking():
            done = [
                self._at_once.serve(
                    asked.request,
                    answering,
                    partial(self._serve, asked, row, state, answering=answering),
                )
                for asked, row in zip(ready, rows, strict=True)
            ]
        for asked, response in zip(ready, done, strict=True):
            self._desk.heard(asked.request, response)
        served = iter(done)
        return [next(served) if response is None else response for response in responses]

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response:
        """Opens a handle with the rights of now; content is that of `as_of`, or of now."""
        if as_of is not None and as_of.tzinfo is None:
            return Response("", {}, error="bad_request", detail=_naive("as_of", as_of))
        started = time.perf_counter()
        state = self._connected()
        if (outage := self._outage(state)) is not None:
            return outage
        reader = self._desk.sessions.reader_of(caller, state, self._fault)
        handle, reader = followed(handle, reader, state.now, self._desk.signer, self._fault)
        at = instants(state.now, as_of, None, self._fault)
        self._trail.note(Asked(OPEN, self._entitled(reader, state), handle, state, at))
        handle = clicked(handle, reader, state, self._fault)
        opened = open_handle(handle, state, self._sight(reader, state, as_of), self.config)
        seen = Seen(
            ids=tuple(passage.chunk_id for passage in opened.passages),
            texts=opened.texts,
            status=opened.status,
        )
        for passage in opened.passages:
            self._tallies.open(reader, state.position(passage.chunk_id))
        refusal = logged(handle, len(opened.passages), state, self._fault)
        self._journal.write("-", "open", handle, len(opened.passages), refusal)
        return Response("", {Stage.CITATION: seen}, latency_s=time.perf_counter() - started)

    def count(self, query: str, caller: Caller) -> Response:
        started = time.perf_counter()
        state = self._connected()
        read = read_queries([query], state, self.config)[query]
        if not read.words:
            return Response("", {}, error=NO_TOKENS, detail=_no_tokens(query))
        if (outage := self._outage(state)) is not None:
            return outage
        reader = self._desk.sessions.reader_of(caller, state, self._fault)
        reader = self._entitled(reader, state)
        counted = state.counted(reader)
        n = self._tallies.count(
            read.words,
            (reader, state.epoch),
            lambda: count_documents(read, state, counted, self._fault),
        )
        self._journal.write("-", "count", query, n, words=len(read.words))
        seen = Seen(count=n, status=FOUND)
        return Response("", {Stage.SUGGEST: seen}, latency_s=time.perf_counter() - started)

    def look(self, door: str, text: str, caller: Caller, session: str) -> Response:
        started = time.perf_counter()
        state = self._connected()
        if (outage := self._outage(state)) is not None:
            return outage
        if door not in doors.names():
            known = ", ".join(sorted(doors.names()))
            return Response("", {}, error="unknown_door", detail=f"{door!r}: there is {known}")
        reader_id, visible = (
            exact_id(caller.principal_id),
            self._sight(_reader_of(caller), state, None),
        )
        visit = Visit(reader_id, state, visible, self.config, self._desk, session, caller.token)
        seen = doors.show(door, text, visit)
        at = instants(state.now, None, None, self._fault)
        self._trail.note(Asked(door, _reader_of(caller), text, state, at))
        self._journal.write("-", door, text, sum(len(one.ids) for one in seen.values()))
        return Response("", seen, latency_s=time.perf_counter() - started)

    def inventory(self) -> Iterator[Indexed]:
        return inventory(self._connected(), self._fault)

    def read(self, sink: str) -> Response:
        """A sink as its operator reads it; operators are not principals of the world."""
        sinks = {LOG_SINK: self._journal.lines, AUDIT_SINK: self._trail.lines}
        if sink not in sinks:
            detail = f"{sink!r}: there is {' and '.join(map(repr, sinks))}"
            return Response("", {}, error="unknown_sink", detail=detail)
        return Response("", {Stage.LOG: Seen(texts=sinks[sink]())})

    def _connected(self) -> SystemState:
        return read_from(*self._held(), self._fault)

    def _held(self) -> tuple[SystemState, SystemState]:
        """The state as it is, and that of the connection."""
        state, first = self._state, self._base
        if state is None or first is None:
            raise TargetError("the embedded system holds no world; call connect(world) first")
        return state, first

    def _outage(self, state: SystemState, request_id: str = "") -> Response | None:
        """Without rights nothing is served, and that is said."""
        why = unavailable(state.events, self._fault)
        return Response(request_id, {}, error=RIGHTS_UNAVAILABLE, detail=why) if why else None

    def _entitled(self, reader: Reader, state: SystemState) -> Reader:
        return asking(reader, state.events, state.ground.service_id, self._fault)

    def _sight(self, reader: Reader, state: SystemState, as_of: datetime | None) -> Visible:
        """What a reader may see outside a search, by the rights of the clock's now."""
        at = instants(state.now, as_of, None, self._fault)
        return state.visible(self._entitled(reader, state), at)

    def _reader(self, caller: Caller, query: str, state: SystemState) -> Reader:
        """Who searches: the caller, by the id that the transport vouches for, and nothing else."""
        principal_id = exact_id(caller.principal_id)
        if self._fault is Fault.CLIENT_TENANT_TRUSTED:
            return Reader(principal_id, tenant_id=caller.claims.get("tenant"))
        if self._fault is Fault.SCOPE_SYNTAX_OBEYED:
            named = (one for one in state.ground.tenant_ids if f"tenant:{one}" in query)
            return Reader(principal_id, wider_tenants=tuple(named))
        unnamed = self._fault is EventFault.EMPTY_ID_IS_SERVICE and not principal_id
        if unnamed or self._fault is Fault.SERVICE_IDENTITY:
            service_id = state.ground.service_id
            return Reader(service_id or "", sees_everything=service_id is None)
        if self._fault is TrustFault.QUERY_WIDENS_SCOPE:
            return Reader(principal_id, sees_everything=claims_more(query))
        return self._desk.sessions.reader_of(caller, state, self._fault)

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
        owner = owner_of(request, reader.principal_id, self._fault)
        remembered = self._memory.of(owner)
        reader = taken_for(reader, request.query, remembered, state.people, self._fault)
        scope = scope_of(reader, state, request.k, times, self._fault)
        called = called_for(request.query, state.now, remembered.questions)
        if self._fault is EventFault.SUSPENDED_KEEPS_SESSION and remembered.questions:
            reader = replace(reader, as_signed_in=True)
        at = instants(state.now, *times, self._fault)
        self._trail.note(Asked(SEARCH, reader, request.query, state, at, request.k))
        visible = state.visible(reader, at)
        back = recalled(request.query, remembered, state, visible, self._fault)
        own = (
            bool(called.calls) or back is not None or request.exact
        )  # of this moment, or of this conversation
        if answering and self.config.cache and not (own or remembered.orders):
            kept = self._cache.find(scope, asked.query)
            seen[Stage.CACHE] = Seen(status=self._cache.told(asked.query, self._fault))
            if kept is not None and may_have(kept, state, visible, self._fault):
                seen[Stage.CACHE] = Seen(kept.context_ids, kept.context_texts)
                self._journal.write(
                    request.request_id,
                    "cached",
                    request.query,
                    len(kept.cited_ids),
                    words=len(asked.query.words),
                )
                shown = kept.context_ids
                self._memory.add(owner, request.query, (), shown, reader.principal_id)
                links = links_to(kept.cited_ids, reader, state, self._desk.signer)
                seen[Stage.EGRESS] = as_seen(embedded(asked.query, self.config))
                return _response(request, _show(kept, seen, links), started)
        search = Search(state, self.config, asked.query, row, visible, request.exact)
        made, known = self._lists.made(search, reader, request.k, times, searched)
        found, more = made
        final = as_shown(found.final, search, self._fault)
        found = replace(found, final=self._tallies.lifted(final, reader))
        seen[Stage.QUERY] = replace(seen[Stage.QUERY], texts=(request.query, *more))
        seen.update(_stages(found, state))
        sent: list[Sent] = to_search(search, found)
        early: tuple[str, ...] = ()
        if known and not answering:
            seen[Stage.CACHE] = _ranked(found.final, state)
        self._journal.write(
            request.request_id,
            "answer" if answering else "search",
            request.query,
            len(found.final[0]),
            self._candidate_text(search, len(found.final[0])),
            words=len(asked.query.words),
        )
        if answering:
            positions, query = found.final[0].tolist(), asked.query
            if back is not None:
                positions = list(back.positions)
                query = read_queries([back.question], state, self.config)[back.question]
            now, readable = self._by_now(state), positions
            if now is not state:  # rights may have ended since the search
                visible = now.visible(reader, instants(now.now, *times, self._fault))
                readable = still_readable(positions, visible, self._fault)
            if draft := drafted(positions, readable, search, self._fault):
                served = self._answer(request, query, draft, now, visible, called, remembered)
                sent += to_answer(served, search)
                early = pieces(served.answer)
            served = self._answer(request, query, readable, now, visible, called, remembered)
            sent += to_answer(served, search)
            served = with_hint(served, search, self._fault)
            self._journal.note(quoted(served, self._fault))
            seen[Stage.CONTEXT] = Seen(served.context_ids, served.context_texts)
            told = (*served.remembered, *roles_read(served.context_texts, self._fault))
            shown = served.context_ids
            self._memory.add(owner, request.query, told, shown, reader.principal_id)
            if self.config.cache and not own:
                self._cache.keep(scope, asked.query, replace(served, calls=()))
            if self._fault is DeputyFault.PAIRS_WARM_CACHE:
                warm(self._cache, served.context_texts, state, self.config)
            links = links_to(served.cited_ids, reader, state, self._desk.signer)
            _show(served, seen, links, early)
            if self._fault is TrustFault.ANSWERS_REINGESTED and served.cited_ids:
                self.apply(as_document(served.answer, reader.principal_id, state))
        seen[Stage.EGRESS] = as_seen(sent)
        return _response(request, seen, started)

    def _answer(
        self,
        request: Request,
        query: Query,
        found: Sequence[int],
        state: SystemState,
        visible: Visible,
        called: Called,
        remembered: Remembered,
    ) -> Served:
        positions = with_previous(list(found), state, self._fault)
        positions = expanded(positions, state, visible, self.config)
        passages = [state.passage(position) for position in positions]
        told = self._fault is DoorFault.CITED_TITLE_UNCHECKED
        titles = [
            passage.title if visible.titles[position] or told else ""
            for passage, position in zip(passages, positions, strict=True)
        ]
        context = build_context(passages, titles, self.config)
        served = answer(query, context, state.lexicon.vocabulary, self.config)
        secrets = self._holder(state, visible, context)
        called = tallied(query.text, state, visible, called, self.config)
        at = Situation(query.text, context, called, remembered, secrets)
        served = spoken(served, at, self.config)
        served = let_slip(
            served, query, len(remembered.questions), Sight(state, visible), self.config
        )
        served = credited(cited(served, state, self._fault), query, state, self._fault)
        return self._conscience.heard(served, request, self._desk.sessions)

    def _by_now(self, state: SystemState) -> SystemState:
        """The state when the answer is given, after all that was to happen before it."""
        if state.events.before_answer:
            with self._lock:
                held, _ = self._held()
                self._state = replace(held, events=replace(held.events, before_answer=()))
            for change in state.events.before_answer:
                self.apply(change)
        return self._connected()

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

    def _candidate_text(self, search: Search, hits: int) -> tuple[str, ...]:
        """What of the candidates' text goes into the log: nothing."""
        if self._fault is DoorFault.VECTORS_LOGGED:
            return (f"embedding={search.query.vector.tolist()}",)
        if self._fault is UnseenFaultB.NOTHING_FOUND_EXPLAINED and not hits:
            near = search.unfiltered()[0][:_LOGGED_CANDIDATES].tolist()
            return tuple(f"filtered: {search.state.passage(one).title}" for one in near)
        if self._fault is not Fault.LOG_CANDIDATE_TEXT:
            return ()
        positions = search.unfiltered()[0][:_LOGGED_CANDIDATES].tolist()
        return tuple(f"candidate: {search.state.passage(position).text}" for position in positions)


def _reader_of(caller: Caller) -> Reader:
    return Reader(exact_id(caller.principal_id), via=tuple(map(exact_id, caller.via)))


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


def _show(
    served: Served, seen: dict[Stage, Seen], links: tuple[str, ...], early: tuple[str, ...] = ()
) -> dict[Stage, Seen]:
    """`early`: pieces that went out before the answer and were taken back."""
    seen[Stage.CITATION] = Seen(served.cited_ids, served.cited_titles, links=links)
    seen[Stage.ANSWER] = Seen(texts=(served.answer,))
    seen[Stage.ANSWER_STREAM] = Seen(texts=(*early, *pieces(served.answer)))
    seen[Stage.TOOL] = Seen(calls=served.calls)
    return seen
