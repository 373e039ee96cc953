"""Which passages does a text quote word for word, and who holds each run of words it quotes?"""

import re
from array import array
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rageval_kit.detect.markup import rendered
from rageval_kit.text.normalise import CJK, fold

LEAST = 12  # of a run's weight: six words, or twelve ideographs
_WORD = 2  # weighs as much as two ideographs
_UNIT = re.compile(f"[{CJK}]|[^\\W_{CJK}]+")
_BASE, _UNBASE = 0x9E3779B97F4A7C15, pow(0x9E3779B97F4A7C15, -1, 1 << 64)
_TEXTS_KEPT = 32768
_NONE: NDArray[np.uint64] = np.empty(0, np.uint64)

Holders = tuple[frozenset[str], ...]
Quoted = tuple[tuple[frozenset[str], "array[int]"], ...]


class Verbatim:
    """Every shortest run of LEAST weight in the known texts, hashed once, with who holds it.

    A text counts as it is written and as it reads without its markup: what stood on either side of
    a comment stands side by side wherever the comment is not shown.
    """

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """`texts`: pairs of a holder's id and a text; a holder may have several."""
        self._codes: dict[str, int] = {}
        self._ids: list[str] = []
        numbers: dict[str, int] = {}
        units, ends, holders = array("i"), array("q"), array("i")
        codes = self._codes
        for holder, text in ((holder, one) for holder, read in texts for one in _readings(read)):
            units.extend([codes.setdefault(unit, len(codes) + 1) for unit in _units(text)])
            if holder not in numbers:
                numbers[holder] = len(self._ids)
                self._ids.append(holder)
            ends.append(len(units))
            holders.append(numbers[holder])
        self._weights = np.array([_WORD, *map(_weight, codes)], np.int8)
        numbered, limits = np.array(units, np.int32), np.array(ends, np.int64)
        runs, starts = _runs(numbered, self._weights[numbered], limits)
        held = np.array(holders, np.int32)[np.searchsorted(limits, starts, side="right")]
        order = np.argsort(runs, kind="stable")
        self._runs, self._held = runs[order], held[order]
        self._find = lru_cache(maxsize=_TEXTS_KEPT)(self._quoted)
        self._known = lru_cache(maxsize=_TEXTS_KEPT)(self._known_in)

    def find(self, text: str, own: str = "") -> Holders:
        """For each run that is quoted, whoever holds it; runs that stand in `own` are left out."""
        if len(text) < LEAST or not (quoted := self._find(text)):
            return ()
        known = self._known(own)
        first = ((next((r for r in runs if r not in known), None), who) for who, runs in quoted)
        return tuple(who for _, who in sorted((run, who) for run, who in first if run is not None))

    def _known_in(self, text: str) -> frozenset[int]:
        return frozenset(self._runs_of(text).tolist())

    def _runs_of(self, text: str) -> NDArray[np.uint64]:
        """The hashes of those runs of the text that anybody holds."""
        read = [_units(one) for one in _readings(text)]
        units = np.array([self._codes.get(unit, 0) for one in read for unit in one], np.int32)
        runs, _ = _runs(units, self._weights[units], np.cumsum([len(one) for one in read]))
        if not len(runs) or not len(self._runs):
            return _NONE
        place = np.minimum(np.searchsorted(self._runs, runs), len(self._runs) - 1)
        return np.unique(runs[self._runs[place] == runs])

    def _quoted(self, text: str) -> Quoted:
        """Who holds what of the text, with the runs in order: read once, whoever it is shown to."""
        runs = self._runs_of(text)
        first = np.searchsorted(self._runs, runs)
        last = np.searchsorted(self._runs, runs, side="right")
        ids: dict[tuple[int, ...], frozenset[str]] = {}
        met: dict[frozenset[str], array[int]] = {}
        for run, start, end in zip(runs.tolist(), first.tolist(), last.tolist(), strict=True):
            numbers = tuple(self._held[start:end].tolist())
            if numbers not in ids:
                ids[numbers] = frozenset(self._ids[n] for n in numbers)
            met.setdefault(ids[numbers], array("Q")).append(run)
        return tuple(met.items())


def _readings(text: str) -> tuple[str, ...]:
    return (text, *rendered(text))


def _units(text: str) -> list[str]:
    return _UNIT.findall(fold(text))


def _weight(unit: str) -> int:
    return 1 if len(unit) == 1 and unit >= "\u3005" else _WORD


def _runs(
    units: NDArray[np.int32], weights: NDArray[np.int8], ends: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The hash of the shortest run of weight LEAST from each unit on, and where it starts.

    None runs over one of `ends`, nor over a unit that is not known (0). Each is the difference of
    two sums over powers of an odd base, taken back to the same power, modulo 2**64.
    """
    n = len(units)
    if not n:
        return _NONE, np.empty(0, np.int64)
    heavy = np.concatenate(([0], np.cumsum(weights, dtype=np.int64)))
    starts = np.arange(n)
    stops = np.searchsorted(heavy, heavy[:-1] + LEAST)
    limit = ends[np.searchsorted(ends, starts, side="right")]
    unknown = np.concatenate(([0], np.cumsum(units == 0)))
    fits = stops <= limit
    starts, stops = starts[fits], stops[fits]
    whole = unknown[starts] == unknown[stops]
    starts, stops = starts[whole], stops[whole]
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(_mixed(units) * _powers(_BASE, n))))
    return (sums[stops] - sums[starts]) * _powers(_UNBASE, n)[starts], starts


def _powers(base: int, n: int) -> NDArray[np.uint64]:
    powers = np.full(n, base, np.uint64)
    powers[0] = 1
    return np.cumprod(powers)


def _mixed(units: NDArray[np.int32]) -> NDArray[np.uint64]:
    """Well spread hashes of small numbers (the finaliser of splitmix64)."""
    x = units.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
