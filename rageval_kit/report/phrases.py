"""What does a text say that was recorded in English, told in the language of the report?"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeVar

from rageval_kit.report.words import Words, words

_T = TypeVar("_T", bound=str)

_FIGURE = r"[-+]?[\d.,]+%?"
_NAME = r"\S+?"
# What may stand in a place; any other place takes words.
_PLACES: Mapping[str, str] = {
    **dict.fromkeys(("n", "total", "limit", "least", "share", "value"), _FIGURE),
    **dict.fromkeys(("family", "metric", "gate", "control", "id"), _NAME),
}
# Places that hold what is a recorded text again.
_NESTED = frozenset({"reason", "why", "rest"})
_PLACE = re.compile(r"\\{(\w+)\\}")


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


def phrase(text: str) -> tuple[str, Mapping[str, str]] | None:
    """The key of the phrase that the text is, and what fills its places; None: it is none."""
    for key, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            return key, found.groupdict()
    return None


def retold(
    text: str, said: Words, sentence: Callable[..., _T], apart: Callable[[str], _T], comma: _T
) -> _T | None:
    """The text in the language of `said`, or None where the catalogue does not know it.

    `sentence(key, place=value)` makes a sentence; `apart` sets off what is no word of the kit.
    """
    found = phrase(text)
    if found is None:
        return None
    key, places = found

    def value(name: str, met: str) -> _T | str:
        if re.fullmatch(_FIGURE, met):
            return met
        if name in _NESTED:
            return _nested(met)
        return _listed(name, met)

    def _nested(met: str) -> _T:
        whole = retold(met, said, sentence, apart, comma)
        if whole is not None:
            return whole
        told = [retold(part, said, sentence, apart, comma) for part in met.split(", ")]
        if any(part is None for part in told):
            return apart(met)
        return _joined([part for part in told if part is not None])

    def _listed(name: str, met: str) -> _T:
        parts = [(part, said.known(name, part)) for part in met.split(", ")]
        return _joined([_word(known) if known else apart(part) for part, known in parts])

    def _word(known: str) -> _T:
        return type(comma)(known)

    def _joined(parts: list[_T]) -> _T:
        return type(comma)(comma.join(parts))

    return sentence(key, **{name: value(name, met) for name, met in places.items()})
