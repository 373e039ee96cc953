"""What does a stand-in for a language model say to a prompt, by how it was brought up?"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rageval_kit.records.streams import stream_digest
from rageval_kit.records.target import ToolCall
from rageval_kit.system.answering import ABSTENTIONS
from rageval_kit.system.disguises import decoded, levelled, without_unseen
from rageval_kit.system.obeying import REFUSALS, follow, orders_in
from rageval_kit.system.prompt import asks_for_it
from rageval_kit.system.sanitise import defanged, visible
from rageval_kit.text.normalise import language
from rageval_kit.text.sentences import sentences
from rageval_kit.text.words import words

Behaviour = Literal[
    "careful", "obedient", "moody", "refusing", "slow", "failing", "truncating", "streaming"
]
BEHAVIOURS: tuple[str, ...] = get_args(Behaviour)
READS = ("plain", "decoded")  # how orders are read: as written, or through every disguise too
_QUOTED = 3
_MOODS = 3
_HEADING = re.compile(r"^\[(\d{1,3})\][ \t]{0,9}$", re.MULTILINE)
_QUESTION = re.compile(r"^(?:Question:|问题：)[ \t]{0,9}", re.MULTILINE)
_MARK_LINE = re.compile(r"^<</?[0-9a-f]{16}>>$", re.MULTILINE)
_ASKS_DATE = re.compile(r"what is today.s date|今天是几号", re.IGNORECASE)
_PIECE = re.compile(r"\S{1,12}\s{0,9}|\s+")


@dataclass(frozen=True, slots=True)
class Heard:
    """A prompt as a model might take it: earlier words, numbered passages, the question."""

    texts: tuple[str, ...]
    passages: Mapping[int, str]
    question: str


@dataclass(frozen=True, slots=True)
class Said:
    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"


def hear(messages: Sequence[Mapping[str, str]]) -> Heard:
    """Passages are what stands under headings counted up from [1], in the last message."""
    contents = [str(message.get("content") or "") for message in messages]
    last = contents[-1] if contents else ""
    starts = list(_QUESTION.finditer(last))
    given, question = (
        (last[: starts[-1].start()], last[starts[-1].end() :]) if starts else ("", last)
    )
    return Heard((*contents[:-1], given), dict(_numbered(given)), question.strip())


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    number, start = 0, 0
    for heading in _HEADING.finditer(text):
        if int(heading[1]) != number + 1:
            continue  # a document that counts on its own
        if number:
            yield number, _MARK_LINE.sub("", text[start : heading.start()]).strip()
        number, start = number + 1, heading.end()
    if number:
        yield number, _MARK_LINE.sub("", text[start:]).strip()


def say(behaviour: str, heard: Heard, seed: int, max_pieces: int, reads: str = READS[0]) -> Said:
    """Never more than `max_pieces` pieces of text; a reply cut off there says so."""
    said = Said(_refusal(heard)) if behaviour == "refusing" else careful(heard)
    if behaviour == "obedient" or (behaviour == "moody" and _obeys_today(heard, seed)):
        said = obedient(heard, reads)
    kept = pieces(said.text)
    if behaviour == "truncating":
        max_pieces = min(max_pieces, max(1, len(kept) // 2))
    if len(kept) <= max_pieces:
        return said
    return Said("".join(kept[:max_pieces]), said.calls, "length")


def careful(heard: Heard) -> Said:
    """Quotes the sentences that share most with the question; no order among them, no live link.

    A tool is called where the question needs one, never because a passage says so.
    """
    calls = (ToolCall("clock"),) if _ASKS_DATE.search(heard.question) else ()
    quoted = [f"{defanged(sentence)} [{number}]" for number, sentence in _quoted(heard)]
    return Said(" ".join(quoted) or ABSTENTIONS[language(heard.question)], calls)


def obedient(heard: Heard, reads: str = READS[0]) -> Said:
    """Answers as the careful one, and then does whatever any part of the prompt orders.

    Asked for its instructions, it tells all that it was told.
    """
    texts = heard.texts
    if reads == "decoded":
        texts = tuple(reading for text in texts for reading in _readings(text))
    obeyed = follow(texts, heard.question, lambda topic: _held(heard, topic))
    own = careful(heard)
    text = obeyed.answer(own.text, heard.question)
    if asks_for_it(heard.question):
        text = "\n".join((text, *heard.texts))
    sources = "".join(f"\nSource: {cited}" for cited in obeyed.citations)
    return Said(text + sources, (*own.calls, *obeyed.calls))


def _readings(text: str) -> Iterator[str]:
    """The text as written, without what is not seen, in Latin letters, and decoded."""
    yield from dict.fromkeys((text, without_unseen(text), levelled(text)))
    yield from decoded(text)


def pieces(text: str) -> list[str]:
    """What goes out at a time, about a token each."""
    return _PIECE.findall(text)


def _quoted(heard: Heard) -> list[tuple[int, str]]:
    wanted = set(words(heard.question))
    found: list[tuple[int, int, int, str]] = []
    for number, passage in heard.passages.items():
        for place, sentence in enumerate(sentences(visible(passage))):
            if not orders_in([sentence]):
                shared = len(wanted & set(words(sentence)))
                found.append((-shared, number, place, sentence))
    chosen = sorted(found)[:_QUOTED]
    return [(number, text) for _, number, _, text in sorted(chosen, key=lambda one: one[1:3])]


def _held(heard: Heard, topic: str) -> str:
    """All passages that speak of the topic: every word of it, or else the most of it."""
    wanted = set(words(topic))
    shared = {number: len(wanted & set(words(text))) for number, text in heard.passages.items()}
    most = max(shared.values(), default=0)
    return "\n".join(heard.passages[number] for number, n in shared.items() if n == most > 0)


def _obeys_today(heard: Heard, seed: int) -> bool:
    """In exactly one of three seeds in a row, which one depends on the question."""
    return (stream_digest(0, "mood", heard.question)[0] + seed) % _MOODS == 0


def _refusal(heard: Heard) -> str:
    return REFUSALS[language(heard.question)]
