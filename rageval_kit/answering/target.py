"""How does a generator behind a retriever present itself as one target?"""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rageval_kit.answering.task import Generator, Passage, Task, Turn
from rageval_kit.endpoint.flight import in_flight
from rageval_kit.records.target import (
    Answers,
    Branches,
    Grain,
    Instructed,
    Laboratory,
    Power,
    Request,
    Response,
    Seen,
    Stage,
    Target,
)
from rageval_kit.records.world import World

NO_TEXTS = "no_texts"
# Where the texts of what was found may stand: as given to an answerer first, as found last.
_TEXTS_AT = (Stage.CONTEXT, Stage.CACHE, Stage.RERANK, Stage.RETRIEVE)
_GENERATED = frozenset(
    {Stage.ANSWER, Stage.ANSWER_STREAM, Stage.CITATION, Stage.TOOL, Stage.EGRESS}
)
_PASSED_ON = (
    "resolve",
    "count",
    "read",
    "sinks",
    "apply",
    "inventory",
    "doors",
    "look",
    "scans",
    "delegates",
)
Conversation = tuple[str, int, str, str]
_MOST_CONVERSATIONS, _MOST_TURNS = 4096, 32  # a target that is never restored runs for long


class AnsweringTarget:
    """The retriever's taps and powers, with context and answer from the generator.

    A conversation is one principal's session in one run of one script; what was said in it is sent
    along with its next question, and nowhere else. Calls may come from several threads.
    """

    def __init__(self, retriever: Target, generator: Generator, *, shared: bool = False) -> None:
        self._retriever, self._generator = retriever, generator
        self._shared = shared  # a branch answers by the generator of the target it came from
        self._turns: OrderedDict[Conversation, tuple[Turn, ...]] = OrderedDict()
        self._lock = threading.Lock()
        # A protocol is kept where the retriever keeps it; the engine asks by isinstance.
        for name in _PASSED_ON:
            if hasattr(retriever, name):
                setattr(self, name, getattr(retriever, name))
        if isinstance(retriever, Laboratory):
            self.restore = lambda: self._restore(retriever)
        if isinstance(retriever, Branches):
            self.beside = lambda world: AnsweringTarget(
                retriever.beside(world), generator, shared=True
            )

    @property
    def name(self) -> str:
        return f"{self._retriever.name} answered by {self._generator.name}"

    @property
    def grain(self) -> Grain:
        return self._retriever.grain

    @property
    def taps(self) -> frozenset[Stage]:
        resolved = {Stage.CITATION} if hasattr(self._retriever, "resolve") else set()
        own = self._generator.shows | resolved | {Stage.CONTEXT}
        return (self._retriever.taps - _GENERATED) | own

    @property
    def powers(self) -> frozenset[Power]:
        return self._retriever.powers

    @property
    def varies(self) -> bool:
        return self._generator.varies

    @property
    def prompt_canary(self) -> str:
        generator = self._generator
        return generator.prompt_canary if isinstance(generator, Instructed) else ""

    def connect(self, world: World) -> None:
        self._retriever.connect(world)
        self._generator.connect()
        self._turns.clear()

    def search(self, requests: Sequence[Request]) -> list[Response]:
        return self._retriever.search(requests)

    def answer(self, requests: Sequence[Request]) -> list[Response]:
        retriever = self._retriever
        ask = retriever.answer if isinstance(retriever, Answers) else retriever.search
        pairs = list(zip(requests, ask(requests), strict=True))
        return in_flight(lambda pair: self._answer(*pair), pairs, self._generator.concurrency)

    def describe(self) -> Mapping[str, str]:
        own = {f"generator {key}": told for key, told in self._generator.describe().items()}
        return {**self._retriever.describe(), "answerer": self._generator.name, **own}

    def close(self) -> None:
        try:
            if not self._shared:
                self._generator.close()
        finally:
            self._retriever.close()

    def _restore(self, retriever: Laboratory) -> None:
        retriever.restore()
        with self._lock:
            self._turns.clear()

    def _answer(self, request: Request, found: Response) -> Response:
        if found.error:
            return found
        passages = _passages(found.seen)
        if passages is None:
            detail = "the retriever shows ids without texts; map context.texts or results.texts"
            return replace(found, seen={}, error=NO_TEXTS, detail=detail)
        conversation = (
            request.script,
            request.repeat,
            request.caller.principal_id,
            request.session,
        )
        with self._lock:
            history = self._turns.get(conversation, ()) if request.session else ()
        task = Task(
            request.request_id,
            request.query,
            passages,
            history,
            request.repeat,
            request.caller,
            request.session,
        )
        told = self._generator.generate(task)
        spent = replace(
            told,
            request_id=request.request_id,
            latency_s=found.latency_s + told.latency_s,
            attempts=max(found.attempts, told.attempts),
        )
        kept = {stage: seen for stage, seen in found.seen.items() if stage not in _GENERATED}
        ids, texts = (tuple(p.passage_id for p in passages), tuple(p.text for p in passages))
        kept[Stage.CONTEXT] = Seen(ids, texts)
        if told.error:  # what was retrieved is seen all the same
            return replace(spent, seen=kept)
        if request.session:
            said = "\n".join(told.seen[Stage.ANSWER].texts) if Stage.ANSWER in told.seen else ""
            with self._lock:
                said_before = self._turns.pop(conversation, ())
                turns = (*said_before, Turn(request.query, said, passages))
                self._turns[conversation] = turns[-_MOST_TURNS:]
                if len(self._turns) > _MOST_CONVERSATIONS:
                    self._turns.popitem(last=False)
        return replace(spent, seen={**kept, **told.seen})


def _passages(seen: Mapping[Stage, Seen]) -> tuple[Passage, ...] | None:
    """The passages with their texts; none found is an empty list, found without texts None."""
    for stage in _TEXTS_AT:
        shown = seen.get(stage)
        if shown is not None and shown.ids and len(shown.ids) == len(shown.texts):
            return tuple(map(Passage, shown.ids, shown.texts))
    if any(seen[stage].ids for stage in _TEXTS_AT if stage in seen):
        # A context that holds nothing, though something was found, was left empty on purpose.
        return () if Stage.CONTEXT in seen and not seen[Stage.CONTEXT].ids else None
    return ()
