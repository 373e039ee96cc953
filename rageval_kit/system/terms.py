"""Which words, phrases and titles could be offered to somebody who is typing, and from where?"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rageval_kit.system.rights import Mask
from rageval_kit.system.segment import Segment
from rageval_kit.text.normalise import CJK, fold

PHRASE = 8  # Chinese is offered by what stands between two marks, up to so many characters
_TERM = re.compile(f"[{CJK}]+|[^\\W_{CJK}]+(?:[-'\u2019][^\\W_{CJK}]+)*")
_CJK_RUN = re.compile(f"[{CJK}]")
_SHORTEST = 2
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def terms_of(text: str) -> set[str]:
    """The words of a text, and the beginnings of its runs of ideographs, folded."""
    found = _TERM.findall(fold(text))
    cut = (term[:PHRASE] if _CJK_RUN.match(term) else term for term in found)
    return {term for term in cut if len(term) >= _SHORTEST}


@dataclass(frozen=True)
class Terms:
    """Terms of bodies, and whole titles, each with the positions of the passages it stands at."""

    segments: tuple[Segment, ...]
    words: dict[str, list[int]]
    titles: dict[str, list[int]]

    @classmethod
    def of(cls, segments: tuple[Segment, ...]) -> "Terms":
        words: dict[str, list[int]] = {}
        titles: dict[str, list[int]] = {}
        for segment in segments:
            for position, passage in enumerate(segment.passages, segment.start):
                for term in terms_of(passage.text):
                    words.setdefault(term, []).append(position)
                titles.setdefault(fold(passage.title), []).append(position)
        return cls(segments, words, titles)

    @cached_property
    def _sorted_words(self) -> list[str]:
        return sorted(self.words)

    @cached_property
    def _sorted_titles(self) -> list[str]:
        return sorted(self.titles)

    def words_from(self, prefix: str, visible: Mask | None, counted: Mask | None) -> list[str]:
        return _from(prefix, self._sorted_words, self.words, visible, counted)

    def titles_from(self, prefix: str, visible: Mask | None, counted: Mask | None) -> list[str]:
        """A title may be seen where passages below it may not: these do not count for it."""
        return _from(prefix, self._sorted_titles, self.titles, visible, counted)

    def near(self, text: str, words: Mask | None, titles: Mask | None) -> list[str]:
        """Terms one slip away from the text; without a mask, whoever may see them."""
        found = (
            slip
            for slip in dict.fromkeys(_slips(text))
            if _stands(self.words.get(slip), words) or _stands(self.titles.get(slip), titles)
        )
        return list(found)


def _from(
    prefix: str,
    ordered: list[str],
    places: dict[str, list[int]],
    visible: Mask | None,
    counted: Mask | None,
) -> list[str]:
    """Those that are visible somewhere, by how often they stand among what is counted.

    Without a mask it is everything.
    """
    found: list[tuple[int, str]] = []
    for number in range(bisect_left(ordered, prefix), len(ordered)):
        term = ordered[number]
        if not term.startswith(prefix):
            break
        at = places[term]
        if _stands(at, visible) and term != prefix:
            n = len(at) if counted is None else int(counted[at].sum())
            found.append((-n, term))
    return [term for _, term in sorted(found)]


def _stands(at: list[int] | None, visible: Mask | None) -> bool:
    return at is not None and (visible is None or bool(visible[at].any()))


def _slips(text: str) -> Iterator[str]:
    """Two neighbours swapped, one character too many, one too few, one wrong."""
    for n in range(len(text)):
        head, tail = text[:n], text[n:]
        if len(tail) > 1:
            yield f"{head}{tail[1]}{tail[0]}{tail[2:]}"
        yield head + tail[1:]
        for letter in _ALPHABET:
            yield head + letter + tail[1:]
            yield head + letter + tail
