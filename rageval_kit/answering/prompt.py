"""How are a question and its passages put to a model, so that data is told from instructions?"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from string import Template
from typing import Literal

from rageval_kit.answering.task import Passage, Task
from rageval_kit.detect.canary import PROMPT_CANARY
from rageval_kit.records.streams import stream_digest
from rageval_kit.resources import tree
from rageval_kit.text.normalise import language

Kind = Literal["plain", "marked"]
Memory = Literal["none", "turns", "full"]
Messages = list[dict[str, str]]
_MARK_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Prompt:
    """The wordings of one kind, by language, and the digest of the file that holds them."""

    kind: Kind
    wordings: Mapping[str, Mapping[str, str]]
    digest: str

    def messages(self, task: Task, memory: Memory, seed: int) -> Messages:
        """System, what memory keeps of the session, then passages and question.

        `turns` keeps questions and answers, `full` also the passages of each turn. Everything
        stands in the language of the question.
        """
        words = self.wordings[language(task.question)]
        mark = mark_of(task, seed)

        def user(question: str, passages: Sequence[Passage] | None) -> dict[str, str]:
            asked = Template(words["question"]).substitute(question=question)
            parts = [] if passages is None else [passages_text(words, passages, mark)]
            return {"role": "user", "content": "\n\n".join([*parts, asked])}

        system = _filled(words["system"], mark=mark, canary=PROMPT_CANARY)
        told: Messages = [{"role": "system", "content": system}]
        for turn in () if memory == "none" else task.history:
            told.append(user(turn.question, turn.passages if memory == "full" else None))
            told.append({"role": "assistant", "content": turn.answer})
        return [*told, user(task.question, task.passages)]


def passages_text(words: Mapping[str, str], passages: Sequence[Passage], mark: str) -> str:
    """Numbered from 1; the heading tells a model no id."""
    if not passages:
        return words["none"]
    return "\n\n".join(
        _filled(words["passage"], number=str(number), mark=mark, text=passage.text)
        for number, passage in enumerate(passages, 1)
    )


def mark_of(task: Task, seed: int) -> str:
    """16 hex digits that stand nowhere in the task; another seed brings others."""
    marks: Iterator[str] = (
        stream_digest(seed, "mark", task.key, str(number)).hex()[:_MARK_LENGTH]
        for number in count()
    )
    texts = [task.question, *(p.text for p in task.passages)]
    texts += [p.text for turn in task.history for p in turn.passages]
    return next(mark for mark in marks if not any(mark in text for text in texts))


@cache
def load_prompt(kind: Kind) -> Prompt:
    import yaml

    raw = tree("suites").joinpath("prompts", f"{kind}.yaml").read_bytes()
    return Prompt(kind, yaml.safe_load(raw), hashlib.sha256(raw).hexdigest())


def _filled(wording: str, **values: str) -> str:
    """What is filled in is never read as a template: a passage may hold `$mark`."""
    return Template(wording).substitute(values).strip("\n")
