"""How near is each passage of a segment to a question that was asked a moment ago?

A question comes back at once: from the twin, after an event, in another arm's second look. What it
comes to depends on its vector and the passages alone, never on who asks, so the last few are kept.
"""

import threading
from collections import OrderedDict

import numpy as np

from rageval_kit.system.dense import Vectors, cosines

_KEPT_BYTES = 32 * 1024 * 1024


class Nearness:
    """The cosines of the last questions with one segment's passages; may be called by threads."""

    def __init__(self, passages: Vectors) -> None:
        self._passages = passages
        self._most = max(8, _KEPT_BYTES // max(4 * len(passages), 1))
        self._rows: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, queries: Vectors) -> Vectors:
        """Shape (queries, passages), the same as `cosines`."""
        keys = [query.tobytes() for query in queries]
        with self._lock:
            known = {key: self._rows[key] for key in keys if key in self._rows}
        fresh = [n for n, key in enumerate(keys) if key not in known]
        if fresh:
            made = cosines(queries[fresh], self._passages)
            new = {keys[n]: row for n, row in zip(fresh, made, strict=True)}
            known |= new
            with self._lock:
                self._rows |= new
                while len(self._rows) > self._most:
                    self._rows.popitem(last=False)
        return np.stack([known[key] for key in keys])
