"""Which counts and openings are remembered?

All is kept by whose it is: a number that one reader was told, or what one reader opened, says
nothing to another.
"""

import threading
from collections import Counter
from collections.abc import Callable, Hashable

import numpy as np

from rageval_kit.system.belonging import Reader
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.newest import Newest
from rageval_kit.system.ranking import Ranked

_MOST = 4096
_LIFT = 0.05  # what an opening of one's own adds to a passage's score, and every doubling of them


class Tallies:
    def __init__(self, fault: AnyFault | None) -> None:
        self._fault = fault
        self._lock = threading.Lock()
        self._counts: Newest[int] = Newest(_MOST)
        self._opened: Counter[tuple[str, int]] = Counter()

    def clear(self) -> None:
        self._counts.clear()
        with self._lock:
            self._opened.clear()

    def count(
        self, words: tuple[str, ...], whose: tuple[Reader, int], make: Callable[[], int]
    ) -> int:
        """A count told before is told again to the same reader, while nothing has changed."""
        reader, epoch = whose
        shared = self._fault is WorldFault.COUNTS_CACHED_FOR_ALL
        key: Hashable = (words, epoch) if shared else (words, epoch, reader)
        return self._counts.made(key, make)

    def open(self, reader: Reader, position: int | None) -> None:
        if position is not None:
            with self._lock:
                self._opened[self._whose(reader), position] += 1

    def lifted(self, ranked: Ranked, reader: Reader) -> Ranked:
        """The same results; what the reader has opened before stands higher."""
        positions, scores = ranked
        if not self._opened or not len(positions):
            return ranked
        whose = self._whose(reader)
        times = np.array([self._opened[whose, p] for p in positions.tolist()])
        raised = scores * (1 + _LIFT * np.log2(1 + times))
        order = np.argsort(-raised, kind="stable")
        return positions[order], raised[order]

    def _whose(self, reader: Reader) -> str:
        return "" if self._fault is WorldFault.POPULARITY_OF_ALL else reader.principal_id
