"""What does a text say that was recorded in English, told in the language of the report?"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from rageval_kit.report.words import Words, split, words

_FIGURE = r"[-+]?[\d.,]+%?"
# What may stand in a place; any other place takes words.
_PLACES: Mapping[str, str] = {
    **dict.fromkeys(("n", "total", "limit", "least", "share", "value"), _FIGURE),
    "mismatch": "[a-z_-]+",
    **dict.fromkeys(("family", "metric", "gate", "control", "id"), r"\S+?"),
}
# Places that hold a recorded text again.
_NESTED = frozenset({"reason", "why", "rest"})
_COUNTED = re.compile(r"(\D.*) (\d+)")  # `silent: answer 3`: so often
_PLACE = re.compile(r"\\\{(\w+)\\\}")


@dataclass(frozen=True, slots=True)
class Voice:
    """How a page says things: `sentence(key, place=value)`, `word` of the kit, `apart` for others.

    All three give text that needs no more escaping.
    """

    said: Words
    sentence: Callable[..., str]
    word: Callable[[str], str]
    apart: Callable[[str], str]

    def listed(self, parts: list[str]) -> str:
        return self.word(self.said("page.comma")).join(parts)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The English phrases as what they match, in the order of the catalogue."""
    return tuple(
        (key, re.compile(_PLACE.sub(_place, re.escape(text))))
        for key, text in words("en").entries.items()
        if key.startswith("phrase.")
    )


def _place(found: re.Match[str]) -> str:
    name = found.group(1)
    return f"(?P<{name}>{_PLACES.get(name, '.+?')})"


@lru_cache(maxsize=4096)
def phrase(text: str) -> tuple[str, Mapping[str, str]] | None:
    """The key of the phrase that the text is, and what fills its places; None: it is none."""
    for key, pattern in _patterns():
        found = pattern.fullmatch(text.strip())
        if found:
            return key, found.groupdict()
    return None


def retold(text: str, voice: Voice) -> str:
    """The text in the language of the voice; '' where the catalogue does not know the phrase.

    Several reasons in one text are told one by one, where each is a phrase.
    """
    parts = text.split("; ")
    if len(parts) > 1 and all(phrase(part) for part in parts):
        return voice.word(voice.said("page.semicolon")).join(retold(part, voice) for part in parts)
    found = phrase(text)
    if found is None:
        return ""
    key, places = found
    # What machines record tersely people read as a sentence; the rest is told as recorded.
    spoken = f"said.{key.removeprefix('phrase.')}"
    key = spoken if spoken in voice.said.entries else key
    return voice.sentence(key, **{name: _value(name, met, voice) for name, met in places.items()})


def told(text: str, voice: Voice) -> str:
    """The text as far as this language knows it: a phrase, or a code and what follows it."""
    code, rest = split(text)
    known = voice.said.known("reason", code)
    if phrase(text) or not known:
        return retold(text, voice) or voice.apart(text)
    return reason(text, voice) or (
        voice.word(f"{known} ") + voice.apart(rest) if rest else voice.word(known)
    )


def reason(text: str, voice: Voice) -> str:
    """A reason code and the causes after it, in words; '' where the causes are no words of ours.

    `twin_failed: allowed_reader twin_silent` is the code, then a living positive and its reason.
    """
    code, rest = split(text)
    known = voice.said.known("reason", code)
    if not known or not rest:
        return ""
    causes = [_cause(part, voice) for part in rest.split("; ")]
    if not all(causes):
        return ""
    head = voice.word(known)
    others = [cause for cause in dict.fromkeys(causes) if cause != head]
    if not others:
        return head
    more = voice.word(voice.said("page.semicolon")).join(others)
    # The counterpart was a copy of the document, and no other reader: its own reason says it all.
    if all(part.startswith("clean_copy") for part in rest.split("; ")):
        return more
    return voice.sentence("page.because", what=known, why=more)


def _cause(part: str, voice: Voice) -> str:
    living, _, own = part.partition(" ")
    named = bool(own and voice.said.known("living", living))
    part = own if named else part
    known = voice.said.known("reason", part) or voice.said.known("living", part)
    if known:
        return voice.word(known)
    return told(part, voice) if named else retold(part, voice) or reason(part, voice)


def plain(text: str, said: Words) -> str:
    """As `told`, for a place that knows no markup."""

    def sentence(key: str, **values: str) -> str:
        return said(key).format(**values)

    return told(text, Voice(said, sentence, str, str))


def _value(name: str, met: str, voice: Voice) -> str:
    if re.fullmatch(_FIGURE, met):
        return met
    whole = retold(met, voice) if name in _NESTED else ""
    return whole or voice.listed([_part(name, part, voice) for part in _parts(name, met)])


def _parts(name: str, met: str) -> list[str]:
    """What is listed; a reason that holds commas of its own ends with how often it was met."""
    parts = met.split(", ")
    if name not in _NESTED or not _COUNTED.fullmatch(parts[-1]):
        return parts
    whole: list[str] = []
    for part in parts:
        if whole and not _COUNTED.fullmatch(whole[-1]) and not whole[-1][:1].isdigit():
            whole[-1] += f", {part}"
        else:
            whole.append(part)
    return whole


def _part(name: str, part: str, voice: Voice) -> str:
    if name in _NESTED:
        counted = _COUNTED.fullmatch(part)
        if not counted:
            return told(part, voice)
        return voice.sentence("quality.reason", n=counted[2], reason=told(counted[1], voice))
    known = voice.said.known(name, part)
    return voice.word(known) if known else voice.apart(part)
