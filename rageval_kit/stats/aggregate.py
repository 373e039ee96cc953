"""What does one column of scores come to, and over how many of its queries?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy

import numpy as np

from rageval_kit.records.scores import Floats, Mask, MetricResult, ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats.bootstrap import Interval, mean_interval, mean_intervals

_NO_REASON = "unmeasured"


def aggregate(
    column: ScoreColumn,
    definition: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    confidence: float = 0.95,
) -> MetricResult:
    """The mean of measured queries with its interval, n scored of n total, and why the rest is not.

    A measured value that is not finite is not measured, whatever produced it. Where there is a mean
    but no interval, `reasons` does not say so (no query is missing); `low` and `high` are None.
    """
    usable = _usable(column)
    estimate = mean_interval(
        column.values[usable], stream(seed, "bootstrap", column.metric), confidence=confidence
    )
    return _result(column, usable, estimate, definition)


def aggregate_all(
    columns: Sequence[ScoreColumn],
    definitions: Sequence[Mapping[str, str] | None],
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = 2_000,
) -> tuple[MetricResult, ...]:
    """Many measures of the same queries at once; no `resamples`: means without intervals.

    Measures known of the same queries share their resamples, so that many cost little more than
    one; what a measure comes to does not depend on which others are asked for.
    """
    masks = [_usable(column) for column in columns]
    groups: dict[bytes, list[int]] = {}
    for i, mask in enumerate(masks):
        groups.setdefault(mask.tobytes(), []).append(i)
    found: dict[int, Interval] = {}
    for members in groups.values():
        values = np.column_stack([columns[i].values[masks[i]] for i in members])
        fresh = deepcopy(generator)  # every group starts its stream anew
        estimates = _intervals(values, fresh, confidence, resamples)
        found.update(zip(members, estimates, strict=True))
    return tuple(
        _result(column, masks[i], found[i], definitions[i]) for i, column in enumerate(columns)
    )


def _intervals(
    values: Floats, generator: np.random.Generator, confidence: float, resamples: int
) -> list[Interval]:
    n = len(values)
    if not resamples or not n:
        means = values.mean(axis=0).tolist() if n else [None] * values.shape[1]
        return [Interval(mean, None, None, n, "not asked for") for mean in means]
    drawn = mean_intervals(values, generator, confidence=confidence, resamples=resamples)
    # Where all values are equal nothing is drawn: what can be said then is said for one column.
    return [
        one if one.low is not None else mean_interval(column, generator, confidence=confidence)
        for one, column in zip(drawn, values.T, strict=True)
    ]


def _usable(column: ScoreColumn) -> Mask:
    usable: Mask = column.measured & np.isfinite(column.values)
    return usable


def _result(
    column: ScoreColumn, usable: Mask, estimate: Interval, definition: Mapping[str, str] | None
) -> MetricResult:
    reasons = Counter(
        "failed: not a finite number"
        if column.measured[i]
        else column.reasons.get(int(i), _NO_REASON)
        for i in np.flatnonzero(~usable)
    )
    return MetricResult(
        metric=column.metric,
        definition=dict(definition or {}),
        value=estimate.mean,
        low=estimate.low,
        high=estimate.high,
        n_scored=estimate.n,
        n_total=len(column.values),
        reasons=dict(sorted(reasons.items())),
        identity=column.identity,
    )
