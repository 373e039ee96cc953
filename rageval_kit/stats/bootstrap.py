"""How far could the mean of these queries lie from the mean of queries like them?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.scores import ScoreColumn
from rageval_kit.stats.binomial import clopper_pearson

_RESAMPLES = 2_000
_CELLS = 2_000_000  # memory of one batch of draws, in numbers
_COUNT_COST = 12  # a draw of a count costs about as much as twelve draws of an index


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values and its bounds; where `low` and `high` are None, `reason` says why."""

    mean: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""


def mean_interval(
    values: NDArray[np.float64],
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
) -> Interval:
    """Percentile bootstrap over queries.

    Where all values are 0, or all are 1, resampling shows no spread, though there may be some in
    other queries: there the exact interval of a share stands in, valid for any score in [0, 1].
    """
    n = len(values)
    if n == 0:
        return Interval(None, None, None, 0, "nothing was measured")
    if not np.isfinite(values).all():
        return Interval(None, None, None, n, "a value is not a finite number")
    mean = float(values.mean())
    if n == 1:
        return Interval(mean, None, None, 1, "one value has no spread")
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) == 1:
        only = float(distinct[0])
        if only in (0.0, 1.0):
            low, high = clopper_pearson(int(only) * n, n, confidence)
            return Interval(only, low, high, n, f"all {n} values are {only:g}: exact interval")
        return Interval(only, None, None, n, f"all {n} values are equal")
    means = _resampled_means(distinct, counts, generator, resamples)
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, (tail, 1 - tail))
    return Interval(mean, float(low), float(high), n)


def _resampled_means(
    distinct: NDArray[np.float64],
    counts: NDArray[np.int64],
    generator: np.random.Generator,
    resamples: int,
) -> NDArray[np.float64]:
    """Drawing queries with replacement is drawing how often each distinct value occurs.

    Where scores repeat, as for most measures, that costs as many draws as there are distinct ones.
    """
    n = int(counts.sum())
    by_count = len(distinct) * _COUNT_COST < n
    every = np.repeat(distinct, counts)
    rows = max(1, _CELLS // (len(distinct) if by_count else n))
    means = []
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        if by_count:
            means.append(generator.multinomial(n, counts / n, size=size) @ distinct / n)
        else:
            means.append(every[generator.integers(0, n, size=(size, n))].mean(axis=1))
    return np.concatenate(means)


def paired_difference(
    baseline: ScoreColumn,
    candidate: ScoreColumn,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
) -> Interval:
    """Candidate minus baseline over the queries that both measured; `n` is how many those are."""
    both = baseline.measured & candidate.measured
    difference = candidate.values[both] - baseline.values[both]
    if len(difference) > 1 and (difference == difference[0]).all():
        n, mean = len(difference), float(difference[0])
        return Interval(mean, None, None, n, f"all {n} differences are {mean:g}")
    return mean_interval(difference, generator, confidence=confidence, resamples=resamples)
