"""What does the embedded system do when it is asked, told of a change, or set back?"""

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from rageval_kit.records.changes import Change
from rageval_kit.records.faults import TargetError
from rageval_kit.records.target import Caller, Indexed, Request, Response, Seen, Stage
from rageval_kit.records.world import World
from rageval_kit.system import doors
from rageval_kit.system.admission import NO_TOKENS, naive, no_tokens
from rageval_kit.system.at_once import AtOnce
from rageval_kit.system.audit import OPEN, Asked
from rageval_kit.system.belonging import Reader
from rageval_kit.system.clicking import clicked
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.counting import count_documents
from rageval_kit.system.disturbed import asking, unavailable
from rageval_kit.system.entrance import refusal, searcher
from rageval_kit.system.events import after as after_event
from rageval_kit.system.events import read_from
from rageval_kit.system.faults import Fault
from rageval_kit.system.held import Held
from rageval_kit.system.instants import instants
from rageval_kit.system.interpret import interpret
from rageval_kit.system.inventory import inventory
from rageval_kit.system.opening import FOUND, open_handle
from rageval_kit.system.refusals import logged
from rageval_kit.system.retrieval import dense_scores, read_queries
from rageval_kit.system.rewriting import resolved
from rageval_kit.system.rights import Visible
from rageval_kit.system.serving import Question, Serving
from rageval_kit.system.sessions import vouched_for
from rageval_kit.system.signed_links import followed
from rageval_kit.system.state import SystemState, first_state
from rageval_kit.system.visit import Visit

LOG_SINK, AUDIT_SINK = "log", "audit"
SINKS = frozenset({LOG_SINK, AUDIT_SINK})
RIGHTS_UNAVAILABLE = "rights_unavailable"
_SWITCH_S = 0.002


class System:
    """Thread-safe: every call works on the one frozen state it found when it began."""

    def __init__(self, config: EmbeddedConfig) -> None:
        self.config = config
        self._fault = config.switched
        self._held = Held(config)
        self._serving = Serving(config, self._held, self._by_now, self.apply)
        self._at_once = AtOnce(config.switched)
        self._lock = threading.Lock()
        self._base: SystemState | None = None
        self._state: SystemState | None = None
        self._epoch = 0

    def connect(self, world: World, beside: "System | None" = None) -> None:
        """`beside`: a system of the same make whose world shares passages with this one."""
        like = None if beside is None else beside._base  # noqa: SLF001 - of its own kind
        self._base = first_state(world, self.config, like)
        self._held.conscience.connect(world)
        self.restore()

    def restore(self) -> None:
        with self._lock:
            self._state = self._base
            self._held.conscience.restore()
            self._held.clear()

    def close(self) -> None:
        with self._lock:
            self._state = self._base = None
            self._held.conscience.close()
            self._held.clear()

    def apply(self, change: Change) -> bool:
        with self._lock:
            self._epoch += 1
            state, first = self._states()
            self._held.conscience.apply(change, self._epoch)
            after = after_event(state, first, change, self._epoch, self.config)
            if after is None:
                return False
            self._state = after
            return True

    def ask(self, requests: Sequence[Request], *, answering: bool) -> list[Response]:
        """Search, or answer where `answering`; one response per request, in their order."""
        state = self._connected()
        requests = [resolved(request, self._held.memory, self._fault) for request in requests]
        requests = [interpret(request, state, self.config) for request in requests]
        queries = read_queries([request.query for request in requests], state, self.config)
        ready: list[Question] = []
        responses: list[Response | None] = []
        for request in requests:
            turned_away = refusal(request, queries[request.query], state.now)
            turned_away = turned_away or self._outage(state, request.request_id)
            responses.append(turned_away)
            if turned_away is None:
                reader = self._entitled(
                    searcher(
                        request.caller, request.query, state, self._held.desk.sessions, self._fault
                    ),
                    state,
                )
                self._serving.current = reader
                ready.append(Question(request, queries[request.query], reader))
        rows = dense_scores([asked.query for asked in ready], state, self.config)
        if self._fault is Fault.PRINCIPAL_IN_SHARED_STATE:
            time.sleep(_SWITCH_S)  # where a real service awaits its index
        with self._at_once.asking():
            done = [
                self._at_once.serve(
                    asked.request,
                    answering,
                    partial(self._serving.serve, asked, row, state, answering=answering),
                )
                for asked, row in zip(ready, rows, strict=True)
            ]
        for asked, response in zip(ready, done, strict=True):
            self._held.desk.heard(asked.request, response)
        served = iter(done)
        return [next(served) if response is None else response for response in responses]

    def resolve(self, handle: str, caller: Caller, as_of: datetime | None = None) -> Response:
        """Opens a handle with the rights of now; content is that of `as_of`, or of now."""
        if as_of is not None and as_of.tzinfo is None:
            return Response("", {}, error="bad_request", detail=naive("as_of", as_of))
        started = time.perf_counter()
        state = self._connected()
        if (outage := self._outage(state)) is not None:
            return outage
        reader = self._held.desk.sessions.reader_of(caller, state, self._fault)
        handle, reader = followed(handle, reader, state.now, self._held.desk.signer, self._fault)
        at = instants(state.now, as_of, None, self._fault)
        self._held.trail.note(Asked(OPEN, self._entitled(reader, state), handle, state, at))
        handle = clicked(handle, reader, state, self._fault)
        opened = open_handle(handle, state, self._sight(reader, state, as_of), self.config)
        seen = Seen(
            ids=tuple(passage.chunk_id for passage in opened.passages),
            texts=opened.texts,
            status=opened.status,
        )
        for passage in opened.passages:
            self._held.tallies.open(reader, state.position(passage.chunk_id))
        noted = logged(handle, len(opened.passages), state, self._fault)
        self._held.journal.write("-", "open", handle, len(opened.passages), noted)
        return Response("", {Stage.CITATION: seen}, latency_s=time.perf_counter() - started)

    def count(self, query: str, caller: Caller) -> Response:
        started = time.perf_counter()
        state = self._connected()
        read = read_queries([query], state, self.config)[query]
        if not read.words:
            return Response("", {}, error=NO_TOKENS, detail=no_tokens(query))
        if (outage := self._outage(state)) is not None:
            return outage
        reader = self._held.desk.sessions.reader_of(caller, state, self._fault)
        reader = self._entitled(reader, state)
        counted = state.counted(reader)
        n = self._held.tallies.count(
            read.words,
            (reader, state.epoch),
            lambda: count_documents(read, state, counted, self._fault),
        )
        self._held.journal.write("-", "count", query, n, words=len(read.words))
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
        reader = vouched_for(caller)
        visible, desk = self._sight(reader, state, None), self._held.desk
        visit = Visit(reader.principal_id, state, visible, self.config, desk, session, caller.token)
        seen = doors.show(door, text, visit)
        at = instants(state.now, None, None, self._fault)
        self._held.trail.note(Asked(door, reader, text, state, at))
        self._held.journal.write("-", door, text, sum(len(one.ids) for one in seen.values()))
        return Response("", seen, latency_s=time.perf_counter() - started)

    def inventory(self) -> Iterator[Indexed]:
        return inventory(self._connected(), self._fault)

    def read(self, sink: str) -> Response:
        """A sink as its operator reads it; operators are not principals of the world."""
        sinks = {LOG_SINK: self._held.journal.lines, AUDIT_SINK: self._held.trail.lines}
        if sink not in sinks:
            detail = f"{sink!r}: there is {' and '.join(map(repr, sinks))}"
            return Response("", {}, error="unknown_sink", detail=detail)
        return Response("", {Stage.LOG: Seen(texts=sinks[sink]())})

    def _connected(self) -> SystemState:
        return read_from(*self._states(), self._fault)

    def _states(self) -> tuple[SystemState, SystemState]:
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

    def _by_now(self, state: SystemState) -> SystemState:
        """The state when the answer is given, after all that was to happen before it."""
        if state.events.before_answer:
            with self._lock:
                held, _ = self._states()
                self._state = replace(held, events=replace(held.events, before_answer=()))
            for change in state.events.before_answer:
                self.apply(change)
        return self._connected()
