"""What is a coefficient of agreement worth, with the interval that resampled items give it?"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints, MetricResult
from rageval_kit.stats.agreement.definitions import DEFINITIONS, VERSION

RESAMPLES = 2_000
ONE_LABEL = "undefined: one label only"
NO_PAIR = "unmeasured: no item has two ratings"
NO_ORDER = "not_applicable: the categories have no order"
NO_NUMBERS = "not_applicable: the categories are not numbers"
_CELLS = 2_000_000  # memory of one batch of draws, in numbers
_COUNT_COST = 12  # a draw of a count costs about as much as twelve draws of an index

Statistic = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient over `n_items` of `n_total` items, or None and the `reason`.

    `missing` names how missing ratings were treated. `note` says why there is no interval, or in
    how many resamples the coefficient was undefined.
    """

    coefficient: str
    value: float | None
    low: float | None
    high: float | None
    n_items: int
    n_total: int
    n_raters: int
    missing: str
    reason: str = ""
    note: str = ""
    confidence: float = 0.95

    def metric(self) -> MetricResult:
        """The same as gates and reports read it: without a value nothing was scored."""
        scored = self.n_items if self.value is not None else 0
        reason = self.reason or f"unmeasured: too few ratings (missing: {self.missing})"
        left = self.n_total - scored
        return MetricResult(
            metric=self.coefficient,
            definition=DEFINITIONS[self.coefficient],
            value=self.value,
            low=self.low,
            high=self.high,
            n_scored=scored,
            n_total=self.n_total,
            reasons={reason: left} if left else {},
            identity=f"{self.coefficient} version={VERSION} missing={self.missing}",
        )


@dataclass(frozen=True, slots=True)
class Measure:
    """A coefficient as a function of how many items show each pattern.

    `statistic` takes weights of shape (resamples, patterns) and gives a value for each resample,
    NaN where it is undefined. `reason`, if any, says why it cannot be asked for at all.
    """

    coefficient: str
    missing: str
    n_total: int
    n_raters: int
    items: Ints
    statistic: Statistic
    width: int = 1
    reason: str = ""


def estimate(
    measure: Measure,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """The value, and the percentiles of the values of resampled items."""
    check(confidence, resamples)
    n = int(measure.items.sum())
    value, reason = math.nan, measure.reason or (NO_PAIR if n == 0 else ONE_LABEL)
    if n and not measure.reason:
        value = float(measure.statistic(measure.items[None].astype(np.float64))[0])
    if math.isnan(value):
        known, low, high, note = None, None, None, ""
    else:
        known, reason = value, ""
        low, high, note = _interval(measure, n, generator, (1 - confidence) / 2, resamples)
    return Agreement(
        coefficient=measure.coefficient,
        value=known,
        low=low,
        high=high,
        n_items=n,
        n_total=measure.n_total,
        n_raters=measure.n_raters,
        missing=measure.missing,
        reason=reason,
        note=note,
        confidence=confidence,
    )


def check(confidence: float, resamples: int) -> None:
    if not 0 < confidence < 1:
        met = repr(confidence)
        raise InputError.one("confidence", "must lie between 0 and 1", met, "0.95 is usual")
    if resamples < 1:
        raise InputError.one("resamples", "must be 1 or more", str(resamples), "2000 is usual")


def ratio(part: Floats, whole: Floats) -> Floats:
    """`part / whole`, NaN where `whole` is 0."""
    filled: Floats = np.full(np.broadcast_shapes(part.shape, whole.shape), np.nan)
    return np.divide(part, whole, out=filled, where=whole != 0)


def _interval(
    measure: Measure, n: int, generator: np.random.Generator, tail: float, resamples: int
) -> tuple[float | None, float | None, str]:
    """Undefined resamples could lie at either end: past one tail they leave no interval."""
    if n == 1:
        return None, None, "one item has no spread"
    drawn = _resampled(measure, n, generator, resamples)
    defined = drawn[~np.isnan(drawn)]
    lost = resamples - len(defined)
    note = f"undefined in {lost:,} of {resamples:,} resamples" if lost else ""
    if lost > tail * resamples:
        return None, None, note
    if defined.min() == defined.max():
        return None, None, "resampling shows no spread"
    low, high = np.quantile(defined, (tail, 1 - tail))
    return float(low), float(high), note


def _resampled(measure: Measure, n: int, generator: np.random.Generator, resamples: int) -> Floats:
    """Drawing items with replacement is drawing how many items show each pattern."""
    items = measure.items
    by_count = len(items) * _COUNT_COST < n
    every = np.repeat(np.arange(len(items)), items)
    rows = max(1, _CELLS // max(len(items) if by_count else n, measure.width))
    values = []
    for start in range(0, resamples, rows):
        size = min(rows, resamples - start)
        if by_count:
            weights = generator.multinomial(n, items / n, size=size)
        else:
            drawn = every[generator.integers(0, n, size=(size, n))]
            drawn += len(items) * np.arange(size)[:, None]
            weights = np.bincount(drawn.ravel(), minlength=size * len(items)).reshape(size, -1)
        values.append(measure.statistic(weights.astype(np.float64)))
    return np.concatenate(values)
