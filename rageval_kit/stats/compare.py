"""Is the candidate better than the baseline on the same queries, by how much, and how surely?"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Floats, Ints, ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats.bootstrap import (
    Interval,
    Method,
    by_cluster,
    cluster_places,
    is_constant,
    mean_intervals,
)
from rageval_kit.stats.effect import PairedEffect, paired_differences, paired_effect
from rageval_kit.stats.pairing import LeftOut, in_both, left_out
from rageval_kit.stats.permutation import PairedTest, sign_flips

Verdict = Literal["higher", "lower", "undecided", "inconclusive"]


@dataclass(frozen=True, slots=True)
class Plan:
    """How columns are compared; below `min_n` common queries a comparison is inconclusive."""

    confidence: float = 0.95
    resamples: int = 10_000
    method: Method = "bca"
    min_n: int = 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """Candidate less baseline over the `n` queries of `n_total` that both measured.

    `difference` is the mean with its interval, `test` the sign-flip test, which is another
    question: three equal gains have an interval above 0 and still a p-value of 1/4. Where only a
    few differences are not 0, the interval leaves out 0 too often; the test keeps its level.
    """

    metric: str
    identity: str
    n: int
    n_total: int
    left_out: tuple[LeftOut, ...]
    difference: Interval
    test: PairedTest
    effect: PairedEffect
    verdict: Verdict
    reason: str = ""


def pair_stream(seed: int, baseline: str, candidate: str, measure: str = "") -> np.random.Generator:
    """The stream of one pair of systems, or of one measure of theirs that is compared alone.

    It depends on these names alone: a further measure or system changes no number of the others.
    """
    return stream(seed, "comparison", baseline, candidate, measure)


def compare_columns(
    baseline: ScoreColumn,
    candidate: ScoreColumn,
    generator: np.random.Generator,
    plan: Plan | None = None,
    *,
    ids: Sequence[str] | None = None,
    clusters: Sequence[object] | Ints | None = None,
) -> Comparison:
    """One measure of two systems, aligned by the places of one list of queries."""
    return compare_many([baseline], [candidate], generator, plan, ids=ids, clusters=clusters)[0]


def compare_many(
    baseline: Sequence[ScoreColumn],
    candidate: Sequence[ScoreColumn],
    generator: np.random.Generator,
    plan: Plan | None = None,
    *,
    ids: Sequence[str] | None = None,
    clusters: Sequence[object] | Ints | None = None,
) -> tuple[Comparison, ...]:
    """Many measures of two systems at once, over one list of queries.

    Measures that are known of the same queries share their resamples and signs; what a measure
    comes to does not depend on which others are compared. With `clusters` (one per query: its
    document, user or template) whole clusters are resampled and change sign together.
    """
    plan = plan or Plan()
    _refuse(baseline, candidate, ids, clusters)
    resampling, flipping = generator.spawn(2)
    groups: dict[bytes, list[int]] = {}
    masks = [in_both(one, other) for one, other in zip(baseline, candidate, strict=True)]
    for i, mask in enumerate(masks):
        groups.setdefault(mask.tobytes(), []).append(i)
    found: dict[int, Comparison] = {}
    for members in groups.values():
        kept = np.flatnonzero(masks[members[0]])
        pairs = [(baseline[i].values[kept], candidate[i].values[kept]) for i in members]
        columns = np.column_stack([paired_differences(one, other) for one, other in pairs])
        within = None if clusters is None else [clusters[i] for i in kept.tolist()]
        intervals = mean_intervals(
            columns,
            deepcopy(resampling),  # every group starts its stream anew
            confidence=plan.confidence,
            resamples=plan.resamples,
            method=plan.method,
            clusters=within,
        )
        tests = _tests(columns, within, deepcopy(flipping), plan.resamples)
        for place, i in enumerate(members):
            difference = _point_where_equal(intervals[place], columns[:, place])
            verdict, reason = _verdict(difference, plan)
            found[i] = Comparison(
                metric=baseline[i].metric,
                identity=baseline[i].identity,
                n=len(kept),
                n_total=len(masks[i]),
                left_out=left_out(baseline[i], candidate[i], ids),
                difference=difference,
                test=tests[place],
                effect=paired_effect(*pairs[place]),
                verdict=verdict,
                reason=reason,
            )
    return tuple(found[i] for i in range(len(masks)))


def _tests(
    columns: Floats,
    clusters: Sequence[object] | None,
    flipping: np.random.Generator,
    resamples: int,
) -> tuple[PairedTest, ...]:
    """Sign flips of the queries, or of whole clusters; the statistic is the mean over queries."""
    n = len(columns)
    places, n_clusters = cluster_places(clusters, n)
    if not n or places is None:
        return sign_flips(columns, flipping, resamples=resamples)
    means = columns.mean(axis=0).tolist()
    tests = sign_flips(by_cluster(columns, places), flipping, resamples=resamples)
    return tuple(
        replace(test, statistic=mean, n=n, method=f"{test.method}, of {n_clusters} clusters")
        for test, mean in zip(tests, means, strict=True)
    )


def _point_where_equal(interval: Interval, differences: Floats) -> Interval:
    """Equal differences: every resample has the same mean, and the interval is that point."""
    n = interval.n
    if n == 1 or interval.mean is None or interval.low is not None or not is_constant(differences):
        return interval
    mean = interval.mean
    reason = f"all {n} differences are {mean:g}: resampling shows no spread, other queries may"
    return replace(interval, low=mean, high=mean, reason=reason)


def _verdict(difference: Interval, plan: Plan) -> tuple[Verdict, str]:
    if difference.n < plan.min_n:
        return "inconclusive", f"{difference.n} common queries, {plan.min_n} are needed"
    if difference.low is None or difference.high is None:
        return "inconclusive", difference.reason
    if difference.low > 0:
        return "higher", ""
    if difference.high < 0:
        return "lower", ""
    return "undecided", "the interval holds 0"


def _refuse(
    baseline: Sequence[ScoreColumn],
    candidate: Sequence[ScoreColumn],
    ids: Sequence[str] | None,
    clusters: Sequence[object] | Ints | None,
) -> None:
    if len(baseline) != len(candidate):
        met = f"{len(baseline)} and {len(candidate)}"
        raise InputError.one("comparison", "needs the same measures of both systems", met)
    faults = []
    n = len(baseline[0].values) if baseline else 0
    for one, other in zip(baseline, candidate, strict=True):
        if (one.metric, one.identity) != (other.metric, other.identity):
            met = f"{_told(one)} and {_told(other)}"
            way_out = "score both with the same measure, version and conventions"
            faults.append(Fault(one.metric, "two different measures are compared", met, way_out))
        if {len(one.values), len(other.values)} != {n}:
            met = f"{len(one.values)} and {len(other.values)}, expected {n}"
            way_out = "place both on one list of queries (`align`)"
            faults.append(Fault(one.metric, "needs one list of queries", met, way_out))
    for name, given in (("ids", ids), ("clusters", clusters)):
        if baseline and given is not None and len(given) != n:
            faults.append(Fault(name, "needs one for every query", f"{len(given)} for {n}"))
    if faults:
        raise InputError(faults)


def _told(column: ScoreColumn) -> str:
    return f"'{column.identity or column.metric}'"
