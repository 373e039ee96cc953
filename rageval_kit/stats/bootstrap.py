"""How far could the mean of these queries lie from the mean of queries like them?"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints
from rageval_kit.stats.binomial import clopper_pearson
from rageval_kit.stats.distributions import normal_quantile, normal_share
from rageval_kit.stats.resample import resampled_means, resampled_totals

Method = Literal["percentile", "bca"]

ROUNDING = 1e-9  # values that agree to nine digits are one value: 0.6 - 0.5 is not quite 0.1
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean of `n` values and its bounds; where `low` and `high` are None, `reason` says why.

    `n_clusters` is how many clusters were resampled whole (None: single queries were). A reason
    beside bounds says that they do not come from resampling, and where from.
    """

    mean: float | None
    low: float | None
    high: float | None
    n: int
    reason: str = ""
    n_clusters: int | None = None


def mean_interval(
    values: Floats,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    method: Method = "percentile",
    clusters: Sequence[object] | Ints | None = None,
    unit_interval: bool = False,
) -> Interval:
    """Bootstrap over queries, or over whole clusters of them (one name or number per value).

    Where all values are 0, or all are 1, resampling shows no spread, though there may be some in
    other queries: if no value can lie outside of 0 and 1 (`unit_interval`), the exact interval of a
    share stands in.
    """
    found = mean_intervals(
        np.asarray(values, dtype=np.float64)[:, None],
        generator,
        confidence=confidence,
        resamples=resamples,
        method=method,
        clusters=clusters,
    )[0]
    if not unit_interval or found.low is not None or found.n == 1 or found.mean not in (0.0, 1.0):
        return found
    if np.ptp(values) > 0:
        return found
    n, only = found.n, found.mean
    independent = n if found.n_clusters is None else found.n_clusters
    low, high = clopper_pearson(int(only) * independent, independent, confidence)
    return replace(found, low=low, high=high, reason=f"all {n} values are {only:g}: exact interval")


def mean_intervals(
    columns: Floats,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    method: Method = "percentile",
    clusters: Sequence[object] | Ints | None = None,
) -> tuple[Interval, ...]:
    """One interval per column of (queries, measures), each as if its column stood alone.

    The resampled mean of clusters of unequal size is over their queries, so a large cluster weighs
    more, as it does in the mean itself.
    """
    _check(confidence, resamples)
    columns = np.asarray(columns, dtype=np.float64)
    n, width = columns.shape
    places, n_clusters = cluster_places(clusters, n)
    intervals = [_without_spread(column, places, n_clusters) for column in columns.T]
    usable = [i for i in range(width) if intervals[i] is None]
    if not usable:
        return tuple(one for one in intervals if one is not None)
    if places is None:
        sums, sizes = columns[:, usable], np.ones(n)
        drawn = [resampled_means(column, deepcopy(generator), resamples) for column in sums.T]
    else:
        sums, sizes = by_cluster(columns[:, usable], places), np.bincount(places).astype(np.float64)
        totals = resampled_totals(np.column_stack((sums, sizes)), generator, resamples)
        drawn = list((totals[:, :-1] / totals[:, -1:]).T)
    for i, own, means in zip(usable, sums.T, drawn, strict=True):
        bounded = _bounded(means, own, sizes, confidence, method)
        intervals[i] = replace(bounded, n=n, n_clusters=n_clusters)
    return tuple(one for one in intervals if one is not None)


def is_constant(values: Floats) -> bool:
    """All equal, to nine digits."""
    return bool(np.ptp(values) <= ROUNDING * np.abs(values).max())


def by_cluster(columns: Floats, places: Ints) -> Floats:
    """Column sums within each cluster: shape (clusters, measures)."""
    return np.column_stack([np.bincount(places, column) for column in columns.T])


def _check(confidence: float, resamples: int) -> None:
    if not 0 < confidence < 1:
        problem, way_out = "must lie between 0 and 1", "0.95 is usual"
        raise InputError.one("confidence", problem, repr(confidence), way_out)
    if resamples < 1:
        way_out = "10000 is usual"
        raise InputError.one("resamples", "must be 1 or more", repr(resamples), way_out)


def cluster_places(
    clusters: Sequence[object] | Ints | None, n: int
) -> tuple[Ints | None, int | None]:
    """The number of each value's cluster, and how many clusters there are."""
    if clusters is None:
        return None, None
    if len(clusters) != n:
        problem = "needs one cluster for every value"
        raise InputError.one("clusters", problem, f"{len(clusters)} for {n}")
    numbers: dict[object, int] = {}
    places = [numbers.setdefault(one, len(numbers)) for one in clusters]
    return np.array(places, dtype=np.int64), len(numbers)


def _without_spread(values: Floats, places: Ints | None, n_clusters: int | None) -> Interval | None:
    """What can be said where resampling would show no spread or no number; None: resample."""
    n = len(values)
    if n == 0:
        return Interval(None, None, None, 0, "nothing was measured", n_clusters)
    if not np.isfinite(values).all():
        return Interval(None, None, None, n, "a value is not a finite number", n_clusters)
    mean, reason = float(values.mean()), ""
    if n == 1:
        reason = "one value has no spread"
    elif is_constant(values):
        reason = f"all {n} values are equal"
    elif n_clusters == 1:
        reason = f"all {n} values are of one cluster"
    elif places is not None and is_constant(np.bincount(places, values) / np.bincount(places)):
        reason = f"the means of all {n_clusters} clusters are equal"
    return Interval(mean, None, None, n, reason, n_clusters) if reason else None


def _bounded(
    means: Floats, sums: Floats, sizes: Floats, confidence: float, method: Method
) -> Interval:
    """The bounds that the resampled means give; BCa shifts its levels for bias and skew."""
    mean, n = float(sums.sum() / sizes.sum()), int(sizes.sum())
    tail = (1 - confidence) / 2
    levels = [tail, 1 - tail]
    if method == "bca":
        slack = ROUNDING * float(np.ptp(means))  # equal means may differ in their last bit
        below = np.count_nonzero(means < mean - slack) + np.count_nonzero(means <= mean + slack)
        if below in (0, 2 * len(means)):
            return Interval(mean, None, None, n, "all resampled means lie on one side of the mean")
        bias = normal_quantile(below / (2 * len(means)))
        reach = [bias + normal_quantile(level) for level in levels]
        skew = _acceleration(sums, sizes)
        if max(skew * one for one in reach) >= 1:
            return Interval(mean, None, None, n, "too skewed for BCa at this confidence")
        levels = [normal_share(bias + one / (1 - skew * one)) for one in reach]
    low, high = np.quantile(means, levels)
    return Interval(mean, float(low), float(high), n)


def _acceleration(sums: Floats, sizes: Floats) -> float:
    """From the jackknife: how the mean moves when each unit in turn is left out, in closed form."""
    without = (sums.sum() - sums) / (sizes.sum() - sizes)
    pull = without.mean() - without
    return float((pull**3).sum() / (6 * (pull**2).sum() ** 1.5))
