"""How is one question served, from the lists of its arms to the answer and what is kept of it?"""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.changes import Change
from rageval_kit.records.target import Request, Response, Seen, Stage
from rageval_kit.system.answering import Context, answer, build_context
from rageval_kit.system.audit import SEARCH, Asked
from rageval_kit.system.believing import roles_read, taken_for, warm
from rageval_kit.system.belonging import Reader
from rageval_kit.system.cache import Scope, Served, may_have, scope_of
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.crediting import credited
from rageval_kit.system.egress import Sent, as_seen, embedded, to_answer, to_search
from rageval_kit.system.events import quoted, still_readable
from rageval_kit.system.expansion import expanded
from rageval_kit.system.faults import Fault
from rageval_kit.system.faults_coverage import goes_unfiltered
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.held import Held
from rageval_kit.system.instants import instants
from rageval_kit.system.memory import Remembered, owner_of
from rageval_kit.system.oversaid import with_aids
from rageval_kit.system.recalling import Recalled, recalled
from rageval_kit.system.retrieval import Found, Query, Search, read_queries, search_for
from rageval_kit.system.rewriting import searched
from rageval_kit.system.rights import Visible, everything
from rageval_kit.system.showing import ranked, show, shown_to, stages
from rageval_kit.system.shown import as_shown, with_hint
from rageval_kit.system.signed_links import links_to
from rageval_kit.system.slips import Sight, let_slip
from rageval_kit.system.speaking import Situation, spoken
from rageval_kit.system.state import SystemState
from rageval_kit.system.streaming import drafted, pieces
from rageval_kit.system.swayed import about, as_document
from rageval_kit.system.tallying import tallied
from rageval_kit.system.tools import Called, called_for
from rageval_kit.system.versions import cited, with_previous

_LOGGED_CANDIDATES = 5


@dataclass(frozen=True, slots=True)
class Question:
    """A request that can be served: its query read, its reader known."""

    request: Request
    query: Query
    reader: Reader


@dataclass(frozen=True, slots=True)
class _Turn:
    """One question on its way: whose it is, in which conversation, and what was seen of it so far.

    `back`: what of the conversation it asks about, where it does.
    """

    request: Request
    query: Query
    reader: Reader
    times: tuple[datetime | None, datetime | None]
    owner: Hashable
    remembered: Remembered
    scope: Scope
    called: Called
    visible: Visible
    back: Recalled | None
    seen: dict[Stage, Seen]

    @property
    def is_of_its_own(self) -> bool:
        """Of this moment, or of this conversation: no answer to keep for another time."""
        return bool(self.called.calls) or self.back is not None or self.request.exact


class Serving:
    """Serves over the state it is given; what is kept from call to call stands in `held`.

    `by_now` gives the state when the answer is given, `apply` takes a change. `current` is where a
    seeded fault keeps who is asking.
    """

    def __init__(
        self,
        config: EmbeddedConfig,
        held: Held,
        by_now: Callable[[SystemState], SystemState],
        apply: Callable[[Change], bool],
    ) -> None:
        self._config, self._held = config, held
        self._by_now, self._apply = by_now, apply
        self._fault = config.switched
        self.current = Reader("")

    def serve(
        self,
        asked: Question,
        row: NDArray[np.float32] | None,
        state: SystemState,
        *,
        answering: bool,
    ) -> Response:
        started = time.perf_counter()
        turn = self._begun(asked, state)
        if answering and self._from_cache(turn, state):
            return shown_to(turn.request, turn.seen, started)
        search = Search(state, self._config, turn.query, row, turn.visible, turn.request.exact)
        found = self._found(turn, search, answering=answering)
        sent: list[Sent] = to_search(search, found)
        if answering:
            sent += self._answered(turn, search, found)
        turn.seen[Stage.EGRESS] = as_seen(sent)
        return shown_to(turn.request, turn.seen, started)

    def _begun(self, asked: Question, state: SystemState) -> "_Turn":
        """Who asks in which conversation, and what that lets them see."""
        request = asked.request
        reader = asked.reader
        if self._fault is Fault.PRINCIPAL_IN_SHARED_STATE:
            reader = self.current
        times = (request.as_of, request.known_at)
        owner = owner_of(request, reader.principal_id, self._fault)
        remembered = self._held.memory.of(owner)
        reader = taken_for(reader, request.query, remembered, state.people, self._fault)
        scope = scope_of(reader, state, request.k, times, self._fault)
        called = called_for(request.query, state.now, remembered.questions)
        if self._fault is EventFault.SUSPENDED_KEEPS_SESSION and remembered.questions:
            reader = replace(reader, as_signed_in=True)
        at = instants(state.now, *times, self._fault)
        self._held.trail.note(Asked(SEARCH, reader, request.query, state, at, request.k))
        visible = state.visible(reader, at)
        if goes_unfiltered(request, self._fault):
            visible = everything(state.n_passages)
        back = recalled(request.query, remembered, state, visible, self._fault)
        seen = {Stage.QUERY: Seen(texts=(request.query,), as_of=request.as_of)}
        return _Turn(
            request,
            asked.query,
            reader,
            times,
            owner,
            remembered,
            scope,
            called,
            visible,
            back,
            seen,
        )

    def _from_cache(self, turn: "_Turn", state: SystemState) -> bool:
        """Whether an answer given before is given again; then all of it stands in what was seen."""
        if not self._config.cache or turn.is_of_its_own or turn.remembered.orders:
            return False
        request, query, seen = turn.request, turn.query, turn.seen
        kept = self._held.cache.find(turn.scope, query)
        seen[Stage.CACHE] = Seen(status=self._held.cache.told(query, self._fault))
        if kept is None or not may_have(kept, state, turn.visible, self._fault):
            return False
        seen[Stage.CACHE] = Seen(kept.context_ids, kept.context_texts)
        self._held.journal.write(
            request.request_id,
            "cached",
            request.query,
            len(kept.cited_ids),
            words=len(query.words),
        )
        principal_id = turn.reader.principal_id
        self._held.memory.add(turn.owner, request.query, (), kept.context_ids, principal_id)
        links = links_to(kept.cited_ids, turn.reader, state, self._held.desk.signer)
        seen[Stage.EGRESS] = as_seen(embedded(query, self._config))
        show(kept, seen, links)
        return True

    def _found(self, turn: "_Turn", search: Search, *, answering: bool) -> Found:
        """What every stage before the answer held."""
        request, reader, seen = turn.request, turn.reader, turn.seen
        made, known = self._held.lists.made(search, reader, request.k, turn.times, searched)
        found, more = made
        final = as_shown(found.final, search, self._fault)
        found = replace(found, final=self._held.tallies.lifted(final, reader))
        seen[Stage.QUERY] = replace(seen[Stage.QUERY], texts=(request.query, *more))
        seen.update(stages(found, search.state))
        if known and not answering:
            seen[Stage.CACHE] = ranked(found.final, search.state)
        hits = len(found.final[0])
        self._held.journal.write(
            request.request_id,
            "answer" if answering else "search",
            request.query,
            hits,
            self._candidate_text(search, hits),
            words=len(turn.query.words),
        )
        return found

    def _answered(self, turn: "_Turn", search: Search, found: Found) -> list[Sent]:
        """The answer with all that is kept of it; what was sent to others for it."""
        state, visible, query = search.state, turn.visible, turn.query
        positions = found.final[0].tolist()
        if turn.back is not None:
            positions = list(turn.back.positions)
            query = read_queries([turn.back.question], state, self._config)[turn.back.question]
        now, readable = self._by_now(state), positions
        if now is not state:  # rights may have ended since the search
            at = instants(now.now, *turn.times, self._fault)
            visible = now.visible(turn.reader, at)
            readable = still_readable(positions, visible, self._fault)
        sent: list[Sent] = []
        early: tuple[str, ...] = ()
        if draft := drafted(positions, readable, search, self._fault):
            served = self._answer(turn, query, draft, now, visible)
            sent += to_answer(served, search)
            early = pieces(served.answer)
        served = self._answer(turn, query, readable, now, visible)
        sent += to_answer(served, search)
        served = with_aids(with_hint(served, search, self._fault), search, self._fault)
        self._keep(turn, served, state, early)
        return sent

    def _keep(
        self, turn: "_Turn", served: Served, state: SystemState, early: tuple[str, ...]
    ) -> None:
        """Show the answer, and remember, cache and write down what is to be."""
        request, reader, seen, held = turn.request, turn.reader, turn.seen, self._held
        held.journal.note(quoted(served, self._fault))
        seen[Stage.CONTEXT] = Seen(served.context_ids, served.context_texts)
        told = (*served.remembered, *roles_read(served.context_texts, self._fault))
        shown = served.context_ids
        held.memory.add(turn.owner, request.query, told, shown, reader.principal_id)
        if self._config.cache and not turn.is_of_its_own:
            held.cache.keep(turn.scope, turn.query, replace(served, calls=(), links=()))
        if self._fault is DeputyFault.PAIRS_WARM_CACHE:
            warm(held.cache, served.context_texts, state, self._config)
        links = links_to(served.cited_ids, reader, state, held.desk.signer)
        show(served, seen, links, early)
        if self._fault is TrustFault.ANSWERS_REINGESTED and served.cited_ids:
            self._apply(as_document(served.answer, reader.principal_id, state))

    def _answer(
        self,
        turn: "_Turn",
        query: Query,
        found: Sequence[int],
        state: SystemState,
        visible: Visible,
    ) -> Served:
        remembered = turn.remembered
        positions = with_previous(list(found), state, self._fault)
        positions = expanded(positions, state, visible, self._config)
        passages = [state.passage(position) for position in positions]
        told = self._fault is DoorFault.CITED_TITLE_UNCHECKED
        titles = [
            passage.title if visible.titles[position] or told else ""
            for passage, position in zip(passages, positions, strict=True)
        ]
        context = build_context(passages, titles, self._config)
        served = answer(query, context, state.lexicon.vocabulary, self._config)
        secrets = self._holder(state, visible, context)
        called = tallied(query.text, state, visible, turn.called, self._config)
        at = Situation(query.text, context, called, remembered, secrets)
        served = spoken(served, at, self._config)
        served = let_slip(
            served, query, len(remembered.questions), Sight(state, visible), self._config
        )
        served = credited(cited(served, state, self._fault), query, state, self._fault)
        return self._held.conscience.heard(served, turn.request, self._held.desk.sessions)

    def _holder(
        self, state: SystemState, visible: Visible, context: Context
    ) -> Callable[[str], str]:
        """What a fault finds about a topic: in the context, or in everything there is."""

        def secrets(topic: str) -> str:
            if self._fault is TrustFault.DEPUTY_EXFILTRATES:
                return about(topic, context.passages)
            search = search_for(topic, state, self._config, visible)
            positions = search.best_of_all(_LOGGED_CANDIDATES)
            return "\n".join(state.passage(position).text for position in positions)

        return secrets

    def _candidate_text(self, search: Search, hits: int) -> tuple[str, ...]:
        """What of the candidates' text goes into the log: nothing."""
        if self._fault is DoorFault.VECTORS_LOGGED:
            return (f"embedding={search.query.vector.tolist()}",)
        if self._fault is UnseenFaultB.NOTHING_FOUND_EXPLAINED and not hits:
            near = search.best_of_all(_LOGGED_CANDIDATES)
            return tuple(f"filtered: {search.state.passage(one).title}" for one in near)
        if self._fault is not Fault.LOG_CANDIDATE_TEXT:
            return ()
        positions = search.best_of_all(_LOGGED_CANDIDATES)
        return tuple(f"candidate: {search.state.passage(position).text}" for position in positions)
