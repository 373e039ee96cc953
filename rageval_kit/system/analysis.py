"""By which terms does the index find a text, and so a query too?

An analyzer gives the terms of a text with its length for a budget, which is the same for all.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from types import MappingProxyType

from rageval_kit.records.faults import Fault
from rageval_kit.text.normalise import CJK, fold
from rageval_kit.text.words import units, words, words_and_units

Analyzer = Callable[[str], tuple[list[str], int]]
STEMMER = "snowballstemmer"

# Lucene's list of English stop words: a longer one would silence words that people ask for.
_STOP = frozenset(
    words(
        "a an and are as at be but by for if in into is it no not of on or such that the their "
        "then there these they this to was will with"
    )
)
_CJK_RUN = re.compile(f"([{CJK}]+)")
_WORD = "[^\\W_]+"
# A number keeps its points and commas, a word its apostrophes; every other mark parts words.
_ENGLISH = re.compile(f"\\d+(?:[.,]\\d+)+|{_WORD}(?:['\u2019]{_WORD})*")


def english(text: str) -> tuple[list[str], int]:
    """Latin words without possessive 's and stop words, by Porter stem; the others as ever."""
    return _terms(text, latin=_stemmed, cjk=words), units(text)


def bigrams(text: str) -> tuple[list[str], int]:
    """Ideographs by pairs of neighbours only (one that stands alone, by itself); Latin as ever."""
    return _terms(text, latin=words, cjk=_pairs), units(text)


ANALYZERS: Mapping[str, Analyzer] = MappingProxyType(
    {"words": words_and_units, "english": english, "bigrams": bigrams}
)


def lacking(analyzer: str) -> Fault | None:
    """What an analyzer needs that is not installed."""
    if analyzer != "english" or find_spec(STEMMER) is not None:
        return None
    return Fault(
        "retriever.analyzer",
        f"'english' needs the package {STEMMER}, which is not installed",
        analyzer,
        f"pip install {STEMMER}, or choose from {sorted(set(ANALYZERS) - {analyzer})}",
    )


def _terms(
    text: str, *, latin: Callable[[str], list[str]], cjk: Callable[[str], list[str]]
) -> list[str]:
    found: list[str] = []
    for place, part in enumerate(_CJK_RUN.split(fold(text))):
        found.extend(cjk(part) if place % 2 else latin(part))
    return found


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def _stemmed(part: str) -> list[str]:
    plain = (word.removesuffix("'s").removesuffix("\u2019s") for word in _ENGLISH.findall(part))
    return [_stem(word) for word in plain if word not in _STOP]


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    import snowballstemmer

    # A stemmer holds the word it works on: one shared by threads would mix two words up.
    stem: str = snowballstemmer.stemmer("porter").stemWord(word)
    return stem
