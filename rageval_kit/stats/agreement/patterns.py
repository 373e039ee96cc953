"""Which sets of labels did items get, and how many items got each?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.records.scores import Ints, Mask
from rageval_kit.stats.agreement.ratings import MISSING, Ratings


@dataclass(frozen=True, slots=True)
class Patterns:
    """`counts[p, c]` is how often category `c` is in pattern `p`; `items[p]` items have it.

    Who gave a label does not matter here. All that a resample of items can change is `items`.
    """

    counts: Ints
    items: Ints

    @property
    def rated(self) -> Ints:
        """How many ratings an item of each pattern has."""
        total: Ints = self.counts.sum(axis=1)
        return total

    def where(self, kept: Mask) -> "Patterns":
        return Patterns(self.counts[kept], self.items[kept])


def patterns(ratings: Ratings) -> Patterns:
    n, q = ratings.n_items, len(ratings.categories)
    item, _ = np.nonzero(ratings.codes != MISSING)
    cell = item * q + ratings.codes[ratings.codes != MISSING]
    counts = np.bincount(cell, minlength=n * q).reshape(n, q)
    if not counts.size:
        return Patterns(counts[:0], np.zeros(0, dtype=np.int64))
    distinct, items = np.unique(counts, axis=0, return_counts=True)
    return Patterns(distinct.astype(np.int64), items.astype(np.int64))
