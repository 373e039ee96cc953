"""What is a generator given to answer, and what must it be able to do?"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from rageval_kit.records.target import Caller, Response, Stage


@dataclass(frozen=True, slots=True)
class Passage:
    """`passage_id` is for citations; no model sees it."""

    passage_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question of the same session, with what it was answered from."""

    question: str
    answer: str
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One question to be answered from `passages`, best first; `history` in its order."""

    request_id: str
    question: str
    passages: tuple[Passage, ...]
    history: tuple[Turn, ...] = ()
    repeat: int = 0
    caller: Caller = field(default_factory=lambda: Caller(""))
    session: str = ""

    @property
    def key(self) -> str:
        """What its reply is kept by: all that decides the reply, and neither case nor model."""
        told = [
            self.question,
            [[one.passage_id, one.text] for one in self.passages],
            [[t.question, t.answer, [p.text for p in t.passages]] for t in self.history],
            self.repeat,
        ]
        raw = json.dumps(told, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(raw.encode("ascii")).hexdigest()


class Generator(Protocol):
    """Answers one task at a time, perhaps from several threads.

    The response shows the stages of `shows`, or carries `error`: an answer that could not be had is
    never an empty one. What a refusing model says is an answer. `varies`: asked again, it may say
    something else.
    """

    @property
    def name(self) -> str: ...
    @property
    def shows(self) -> frozenset[Stage]: ...
    @property
    def varies(self) -> bool: ...
    @property
    def concurrency(self) -> int: ...
    def connect(self) -> None: ...
    def generate(self, task: Task) -> Response: ...
    def describe(self) -> Mapping[str, str]:
        """What it is, for provenance; no secrets."""
        ...

    def close(self) -> None: ...


def failed(response: Response, error: str, detail: str) -> Response:
    """The same call with nothing shown, and why."""
    return replace(response, seen={}, error=error, detail=detail)
