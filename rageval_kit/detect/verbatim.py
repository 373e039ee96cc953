"""Which passages does a text quote word for word, and who holds each run of words it quotes?"""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rageval_kit.detect.markup import rendered
from rageval_kit.records.verdicts import May
from rageval_kit.text.normalise import CJK, fold

LEAST = 12  # of a run's weight: six words, or twelve ideographs
_PARTED = " \ua66e "  # a letter that no text holds
_WORD = 2  # weighs as much as two ideographs
_SOURCE = re.compile(r"\[\d{1,3}\]")  # the mark of a source: what it parts was not said in a row
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

    Whoever shows texts puts them together: a sentence behind a title, one behind another. What is
    held by others alone counts where it goes on for longer than the runs over one such seam, or as
    long as a short text (a title) is.
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
        runs, starts, _ = _runs(numbered, self._weights[numbered], limits)
        texts_of = np.searchsorted(limits, starts, side="right")
        held = np.array(holders, np.int32)[texts_of]
        order = np.argsort(runs, kind="stable")
        self._runs, self._held = runs[order], held[order]
        # How many runs the text has in which each stands; more than a seam makes are all one.
        of_text = np.bincount(texts_of, minlength=len(limits))[texts_of]
        self._of_text = np.minimum(of_text, LEAST).astype(np.uint8)[order]
        self._find = lru_cache(maxsize=_TEXTS_KEPT)(self._quoted)
        self._known = lru_cache(maxsize=_TEXTS_KEPT)(self._known_in)

    def find(self, text: str, own: str = "", may: May = lambda _: False) -> Holders:
        """Who holds what is quoted, where none of them `may` be; not what stands in `own`."""
        if len(text) < LEAST or not (quoted := self._find(text)):
            return ()
        known = self._known(own)
        hidden = {
            run: who for who, runs in quoted if not may(who) for run in runs if run not in known
        }
        if not hidden:
            return ()
        return tuple(dict.fromkeys(hidden[run] for run in self._in_a_row(text, hidden)))

    def _in_a_row(self, text: str, hidden: Mapping[int, frozenset[str]]) -> Iterator[int]:
        """Those of the runs that stand in a row which no one seam explains."""
        runs, starts, stops = self._all_runs(text)
        row: list[int] = []
        for number, run in enumerate(runs.tolist()):
            if run not in hidden:
                continue
            if row and starts[number] != starts[row[-1]] + 1:
                yield from self._too_long_for_a_seam(row, runs, starts, stops)
                row = []
            row.append(number)
        yield from self._too_long_for_a_seam(row, runs, starts, stops)

    def _too_long_for_a_seam(
        self,
        row: Sequence[int],
        runs: NDArray[np.uint64],
        starts: NDArray[np.int64],
        stops: NDArray[np.int64],
    ) -> Iterator[int]:
        if not row:
            return
        mine = runs[row]
        first = np.searchsorted(self._runs, mine)
        last = np.searchsorted(self._runs, mine, side="right")
        whole = min(self._of_text[a:b].min() for a, b in zip(first, last, strict=True))
        if starts[row[-1]] >= stops[row[0]] - 1 or len(row) >= whole:
            yield from mine.tolist()

    def _known_in(self, text: str) -> frozenset[int]:
        return frozenset(self._runs_of(text).tolist())

    def _all_runs(
        self, text: str
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
        read = [_units(_SOURCE.sub(_PARTED, one)) for one in _readings(text)]
        units = np.array([self._codes.get(unit, 0) for one in read for unit in one], np.int32)
        return _runs(units, self._weights[units], np.cumsum([len(one) for one in read]))

    def _runs_of(self, text: str) -> NDArray[np.uint64]:
        """The hashes of those runs of the text that anybody holds."""
        runs, _, _ = self._all_runs(text)
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
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """The hash of the shortest run of weight LEAST from each unit on, where it starts and stops.

    None runs over one of `ends`, nor over a unit that is not known (0). Each is the difference of
    two sums over powers of an odd base, taken back to the same power, modulo 2**64.
    """
    n = len(units)
    if not n:
        return _NONE, np.empty(0, np.int64), np.empty(0, np.int64)
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
    return (sums[stops] - sums[starts]) * _powers(_UNBASE, n)[starts], starts, stops


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
