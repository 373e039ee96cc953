"""What does one column of scores come to, and over how many of its queries?"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from rageval_kit.records.scores import Mask, MetricResult, ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats.bootstrap import RESAMPLES, Interval, mean_interval

_NO_REASON = "unmeasured"


def aggregate(
    column: ScoreColumn,
    definition: Mapping[str, str] | None = None,
    *,
    seed: int = 0,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> MetricResult:
    """The mean of measured queries with its interval, n scored of n total, and why the rest is not.

    A measured value that is not finite is not measured, whatever produced it. No `resamples`: a
    mean without an interval. Every column draws from the same stream of `seed`, so that equal
    values have equal ends whichever command scored them, and beside whichever other measures.
    """
    usable = _usable(column)
    values = column.values[usable]
    if resamples or not len(values):
        estimate = mean_interval(
            values,
            stream(seed, "bootstrap"),
            confidence=confidence,
            resamples=resamples or RESAMPLES,
            unit_interval=column.unit_interval,
        )
    else:
        estimate = Interval(float(values.mean()), None, None, len(values), "not asked for")
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
        interval_note="" if estimate.mean is None else estimate.reason,
    )


def _usable(column: ScoreColumn) -> Mask:
    usable: Mask = column.measured & np.isfinite(column.values)
    return usable
