"""Which of many patterns stand in a folded text, at a cost that does not grow with their number?

Every pattern is known by its first 4, 8 or 16 characters. A text's grams are hashed all at once,
looked up in a bit table, and only what passes is compared in full.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rageval_kit.detect.fold import Codes, to_codes, to_text

_BASE = 0x9E3779B97F4A7C15  # odd, so that no step of the hash loses a bit
_WORD = 1 << 64
_GRAMS = (16, 8, 4)
_SLOTS_PER_PATTERN = 16
_LEAST_BITS = 12
_MOST_BITS = 26

Hashes = NDArray[np.uint64]


class Span(NamedTuple):
    """A pattern found at `[start, end)` of the folded text."""

    pattern: str
    start: int
    end: int


def _gram_length(pattern: str) -> int:
    return next(gram for gram in _GRAMS if len(pattern) >= gram)


def _hash_grams(codes: Codes, longest: int) -> dict[int, Hashes]:
    """Hashes of all grams of length 4, 8, 16 up to `longest`, each from two of half its length."""
    hashes: Hashes = codes.astype(np.uint64)
    length, base, found = 1, _BASE, {}
    while length < longest and len(hashes) > length:
        hashes = hashes[:-length] * np.uint64(base) + hashes[length:]
        length *= 2
        base = base * base % _WORD
        found[length] = hashes
    return found


class _Shelf:
    """Patterns that share a gram length: a bit table, and the lengths to try behind each gram."""

    def __init__(self, gram: int, patterns: list[str]) -> None:
        self.gram = gram
        heads = to_codes("".join(pattern[:gram] for pattern in patterns))
        keys = _hash_grams(heads, gram)[gram][::gram]
        bits = (len(patterns) * _SLOTS_PER_PATTERN - 1).bit_length()
        self._shift = np.uint64(64 - min(_MOST_BITS, max(_LEAST_BITS, bits)))
        self._table = np.zeros(1 << (64 - int(self._shift)), dtype=np.bool_)
        self._table[self._slots(keys)] = True
        lengths: dict[int, set[int]] = {}
        for key, pattern in zip(keys.tolist(), patterns, strict=True):
            lengths.setdefault(key, set()).add(len(pattern))
        self._lengths = {key: tuple(sorted(found)) for key, found in lengths.items()}

    def _slots(self, hashes: Hashes) -> NDArray[np.int64]:
        mixed = (hashes ^ (hashes >> np.uint64(32))) * np.uint64(_BASE)
        return (mixed >> self._shift).astype(np.int64)

    def candidates(self, hashes: Hashes) -> Iterator[tuple[int, int]]:
        """(start, length) worth comparing in full."""
        starts = np.flatnonzero(self._table[self._slots(hashes)])
        for start, key in zip(starts.tolist(), hashes[starts].tolist(), strict=True):
            for length in self._lengths.get(key, ()):
                yield start, length


class PatternIndex:
    """Patterns are folded text of 4 characters or more."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = frozenset(patterns)
        by_gram: dict[int, list[str]] = {}
        for pattern in sorted(self._patterns):
            by_gram.setdefault(_gram_length(pattern), []).append(pattern)
        self._shelves = [_Shelf(gram, found) for gram, found in by_gram.items()]
        self._longest = max(by_gram, default=0)

    def search(self, codes: Codes) -> list[Span]:
        """Every pattern once (its first place); one lying inside a longer one is not reported."""
        grams = _hash_grams(codes, self._longest)
        text = None
        spans: dict[str, list[Span]] = {}
        for shelf in self._shelves:
            if shelf.gram not in grams:
                continue
            for start, length in shelf.candidates(grams[shelf.gram]):
                if text is None:
                    text = to_text(codes)
                pattern = text[start : start + length]
                if len(pattern) == length and pattern in self._patterns:
                    spans.setdefault(pattern, []).append(Span(pattern, start, start + length))
        return _outermost(spans)


def _outermost(spans: dict[str, list[Span]]) -> list[Span]:
    """One place of each pattern that does not lie inside a longer pattern's place."""
    if len(spans) <= 1:
        return [found[0] for found in spans.values()]
    places = sorted((s for found in spans.values() for s in found), key=lambda s: (s.start, -s.end))
    kept: dict[str, Span] = {}
    reach = -1
    for span in places:
        if span.end > reach:
            kept.setdefault(span.pattern, span)
            reach = span.end
    return list(kept.values())
