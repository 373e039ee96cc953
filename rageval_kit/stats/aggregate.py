"""What does one column of scores come to, and over how many of its queries?"""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from rageval_kit.records.decisions import MetricResult
from rageval_kit.records.scores import ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.stats.bootstrap import mean_interval

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
    finite = np.isfinite(column.values)
    usable = column.measured & finite
    reasons = Counter(
        "failed: not a finite number"
        if column.measured[i]
        else column.reasons.get(int(i), _NO_REASON)
        for i in np.flatnonzero(~usable)
    )
    estimate = mean_interval(
        column.values[usable], stream(seed, "bootstrap", column.metric), confidence=confidence
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
    )
