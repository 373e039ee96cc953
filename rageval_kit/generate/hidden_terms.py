"""Which word, phrase or title tells of the target alone, as far as the reader can know?

A term is hidden from a reader where it stands in nothing, text or title, of which the reader may
read a passage: once the pair's own event has happened, where one denies the target.
"""

import re
from collections.abc import Iterator

import numpy as np

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.words import plain_title, without_marks
from rageval_kit.text.normalise import CJK, fold

PHRASE = 8  # Chinese: what stands between two marks, up to so many characters
TITLE = 8  # characters that a title has at least, so that it is no common word
_LATIN = re.compile("(?<![\\w'-])[a-z]{6,}(?![\\w'-])")
_IDEOGRAPH = re.compile(f"[{CJK}]")
_RUN = re.compile(f"[{CJK}]{{5,}}")


def hidden_term(scene: Scene, pair: Pair) -> str:
    """A word of the target, or the beginning of a run of its ideographs; '' where all is known."""
    text = fold(without_marks(scene.places[pair.chunk_id].chunk.text))
    return _first_hidden(scene, pair, sorted(_terms(text), key=lambda t: (-len(t), t)))


def hidden_title(scene: Scene, pair: Pair) -> str:
    """The target's title, folded; '' where it is short, or known from elsewhere."""
    title = fold(plain_title(scene, pair.chunk_id)).strip()
    return _first_hidden(scene, pair, [title] if len(title) >= TITLE else [])


def hidden_title_word(scene: Scene, pair: Pair) -> str:
    """A Latin word of a title that is read by those alone who may read the target.

    No ideographs: what is found by them is found by parts that other words share.
    """
    words = set(_LATIN.findall(fold(plain_title(scene, pair.chunk_id))))
    version_id = scene.places[pair.chunk_id].version.version_id
    return _first_hidden(scene, pair, sorted(words, key=lambda t: (-len(t), t)), version_id)


def _terms(text: str) -> Iterator[str]:
    yield from set(_LATIN.findall(text))
    yield from {run[:PHRASE] for run in _RUN.findall(text)}


def _first_hidden(scene: Scene, pair: Pair, terms: list[str], untitled: str = "") -> str:
    """`untitled`: the version of whose readable passages the text counts as known, and no title."""
    monitor = scene.monitor_after((*pair.setup, *pair.event))
    readable = monitor.reason_bits(pair.reader_id) == 0
    known: list[str] = []
    for position in np.flatnonzero(readable).tolist():
        place = scene.places[scene.chunk_ids[position]]
        is_own = place.version.version_id == untitled
        known.append(fold(place.chunk.text) if is_own else scene.folded[position])
    return next((t for t in terms if not any(t in text for text in known)), "")


def prefix_of(term: str) -> str:
    """So much of it that few others begin alike, and that it is not told yet."""
    n = len(term)
    return term[: n - 2 if n <= 2 * PHRASE else n // 2]


def beginning_of(text: str) -> str:
    """So little of it that many words begin alike: two letters, or one ideograph."""
    first = fold(text).strip()
    return first[: 1 if _IDEOGRAPH.match(first) else 2]


def misspelt(term: str) -> str:
    """The term with two different neighbours swapped, from its middle on; as it is, if none are."""
    middle = len(term) // 2
    for n in (*range(middle, len(term) - 1), *range(middle)):
        if term[n] != term[n + 1]:
            return f"{term[:n]}{term[n + 1]}{term[n]}{term[n + 2 :]}"
    return term
