"""How are candidates cut, fused and reranked, always with one order for equal scores?"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.segment import Segment
from rageval_kit.system.vocabulary import Vocabulary

Positions = NDArray[np.int64]
Ranked = tuple[Positions, NDArray[np.float64]]
_PRIOR_SHARE = 0.5


def best(scores: NDArray[np.float32], n: int, floor: float, within: Positions | None) -> Ranked:
    """The `n` best positions with a score above `floor`; equal scores stand in index order."""
    if within is None:
        positions = np.flatnonzero(scores > floor)
        found = scores[positions]
    else:
        found = scores[within]
        above = found > floor
        positions, found = within[above], found[above]
    if len(positions) > n:
        threshold = np.partition(found, len(found) - n)[len(found) - n]
        higher = np.flatnonzero(found > threshold)
        level = np.flatnonzero(found == threshold)[: n - len(higher)]
        kept = np.concatenate([higher, level])
        positions, found = positions[kept], found[kept]
    order = np.lexsort((positions, -found))
    return positions[order], found[order].astype(np.float64)


def fuse(rankings: Sequence[Ranked], constant: int) -> Ranked:
    """Reciprocal-rank fusion; one ranking alone keeps its own scores."""
    if len(rankings) == 1:
        return rankings[0]
    flat = np.concatenate([positions for positions, _ in rankings])
    parts = np.concatenate([1.0 / (constant + 1 + np.arange(len(p))) for p, _ in rankings])
    positions, inverse = np.unique(flat, return_inverse=True)
    scores = np.bincount(inverse, weights=parts, minlength=len(positions)).astype(np.float64)
    order = np.lexsort((positions, -scores))
    return positions[order], scores[order]


def coverage(
    positions: Positions,
    numbers: NDArray[np.int32],
    total: float,
    segments: Sequence[Segment],
    vocabulary: Vocabulary,
) -> NDArray[np.float64]:
    """Which share of the query's weight (of all its words) each passage's words cover."""
    covered = np.zeros(len(positions))
    if not len(numbers) or total <= 0:
        return covered
    weights = vocabulary.weights(numbers)
    for segment in segments:
        here = np.flatnonzero(
            (positions >= segment.start) & (positions < segment.start + len(segment))
        )
        if not len(here):
            continue
        rows = positions[here] - segment.start
        starts = segment.bag.indptr[rows]
        lengths = segment.bag.indptr[rows + 1] - starts
        before = np.cumsum(lengths) - lengths
        flat = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
        words = segment.bag.numbers[flat]
        slot = np.minimum(np.searchsorted(numbers, words), len(numbers) - 1)
        value = np.where(numbers[slot] == words, weights[slot], 0.0)
        owner = np.repeat(np.arange(len(here)), lengths)
        covered[here] = np.bincount(owner, weights=value, minlength=len(here))
    return covered / total


def reranked(offered: Ranked, covered: NDArray[np.float64]) -> Ranked:
    """By coverage and, half as strong, by the score before: coverage alone favours length."""
    positions, came_with = offered
    prior = came_with / came_with.max() if len(came_with) else came_with
    scores = covered + _PRIOR_SHARE * prior
    order = np.argsort(-scores, kind="stable")
    return positions[order], scores[order]
