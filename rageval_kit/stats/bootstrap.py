"""How far could the mean of these queries lie from the mean of queries like them?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints, ScoreColumn
from rageval_kit.stats.binomial import clopper_pearson
from rageval_kit.stats.distributions import normal_quantile, normal_share
from rageval_kit.stats.resample import means_by_distribution, resampled_totals

Method = Literal["percentile", "bca"]

ROUNDING = 1e-9  # values that agree to nine digits are one value: 0.6 - 0.5 is not quite 0.1
_RESAMPLES = 2_000
_CELLS = 2_000_000  # memory of one batch of counts, in numbers
_COUNT_COST = 12  # a draw of a count costs about as much as twelve draws of an index
_LONG = 2_000  # values from which the distribution of a mean costs less than its draws


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
    resamples: int = _RESAMPLES,
    method: Method = "percentile",
    clusters: Sequence[object] | Ints | None = None,
) -> Interval:
    """Bootstrap over queries, or over whole clusters of them (one name or number per value).

    Where all values are 0, or all are 1, resampling shows no spread, though there may be some in
    other queries: there the exact interval of a share stands in, valid for any score in [0, 1].
    """
    values = np.asarray(values, dtype=np.float64)
    places, n_clusters = cluster_places(clusters, len(values))
    degenerate = _without_spread(values, places, n_clusters)
    if degenerate is None and places is None:
        _check(confidence, resamples)
        means = _resampled_means(values, generator, resamples)
        return _bounded(means, values, np.ones(len(values)), confidence, method)
    if degenerate is None:
        return mean_intervals(
            values[:, None],
            generator,
            confidence=confidence,
            resamples=resamples,
            method=method,
            clusters=clusters,
        )[0]
    if degenerate.n > 1 and degenerate.mean in (0.0, 1.0) and np.ptp(values) == 0:
        n, only = degenerate.n, degenerate.mean
        independent = n if n_clusters is None else n_clusters
        low, high = clopper_pearson(int(only) * independent, independent, confidence)
        reason = f"all {n} values are {only:g}: exact interval"
        return Interval(only, low, high, n, reason, n_clusters)
    return degenerate


def mean_intervals(
    columns: Floats,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
    method: Method = "percentile",
    clusters: Sequence[object] | Ints | None = None,
) -> tuple[Interval, ...]:
    """One interval per column of (queries, measures); all columns share the same resamples.

    A further column changes no number of the others. The resampled mean of clusters of unequal
    size is over their queries, so a large cluster weighs more, as it does in the mean itself.
    """
    _check(confidence, resamples)
    columns = np.asarray(columns, dtype=np.float64)
    n, width = columns.shape
    places, n_clusters = cluster_places(clusters, n)
    intervals = [_without_spread(column, places, n_clusters) for column in columns.T]
    usable = [i for i in range(width) if intervals[i] is None]
    if usable:
        sums, sizes = columns[:, usable], np.ones(n)
        if places is not None:
            sums, sizes = by_cluster(sums, places), np.bincount(places).astype(np.float64)
        if (sizes == sizes[0]).all():
            means = resampled_totals(sums, generator, resamples) / n
        else:
            totals = resampled_totals(np.column_stack((sums, sizes)), generator, resamples)
            means = totals[:, :-1] / totals[:, -1:]
        for place, i in enumerate(usable):
            bounded = _bounded(means[:, place], sums[:, place], sizes, confidence, method)
            intervals[i] = _of_clusters(bounded, n, n_clusters)
    return tuple(one for one in intervals if one is not None)


def paired_difference(
    baseline: ScoreColumn,
    candidate: ScoreColumn,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = _RESAMPLES,
    method: Method = "percentile",
) -> Interval:
    """Candidate minus baseline over the queries that both measured; `n` is how many those are.

    Equal differences have no interval here, since resampling shows no spread; `compare_columns`
    gives the point itself with the same reason, and refuses what must not be compared.
    """
    both = baseline.measured & candidate.measured
    difference = candidate.values[both] - baseline.values[both]
    if len(difference) > 1 and is_constant(difference):
        n, mean = len(difference), float(difference.mean())
        return Interval(mean, None, None, n, f"all {n} differences are {mean:g}")
    return mean_interval(
        difference, generator, confidence=confidence, resamples=resamples, method=method
    )


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


def _of_clusters(interval: Interval, n: int, n_clusters: int | None) -> Interval:
    return Interval(interval.mean, interval.low, interval.high, n, interval.reason, n_clusters)


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


def _resampled_means(values: Floats, generator: np.random.Generator, resamples: int) -> Floats:
    """Drawing queries with replacement is drawing how often each distinct value occurs.

    Where scores repeat, as for most measures, that costs as many draws as there are distinct ones;
    where a long column hardly repeats, its resampled means are drawn from their own distribution.
    """
    n = len(values)
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) * _COUNT_COST >= n >= _LONG:
        return means_by_distribution(values, generator, resamples)
    if len(distinct) * _COUNT_COST >= n:
        return resampled_totals(values[:, None], generator, resamples)[:, 0] / n
    rows = max(1, _CELLS // len(distinct))
    return np.concatenate(
        [
            generator.multinomial(n, counts / n, size=min(rows, resamples - start)) @ distinct / n
            for start in range(0, resamples, rows)
        ]
    )
