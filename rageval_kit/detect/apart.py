"""Can two groups of figures be told apart, and how surely?

Mann-Whitney's test by its normal approximation, with ties and continuity corrected, and the share
of pairs in which the first group's figure is the larger (the area under the curve; Cliff's delta is
twice it, less one) with DeLong's standard error.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Apart:
    """`area`: how often a figure of the first group is above one of the second, ties half.

    `p`: how likely a difference this large is, either way, where there is none. `error`: of `area`.
    """

    n: tuple[int, int]
    area: float
    p: float
    error: float

    @property
    def delta(self) -> float:
        return 2 * self.area - 1


def told_apart(first: Sequence[float], second: Sequence[float]) -> Apart:
    """At least one figure in each group."""
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    n, m = len(one), len(two)
    above, below = _placed(one, two), 1 - _placed(two, one)
    area = float(above.mean())
    error = math.sqrt(_variance(above) / n + _variance(below) / m)
    return Apart((n, m), area, _p(one, two, area), error)


def _placed(figures: Floats, among: Floats) -> Floats:
    """The share of `among` that each figure is above, ties half."""
    ordered = np.sort(among)
    left = np.searchsorted(ordered, figures, "left")
    right = np.searchsorted(ordered, figures, "right")
    placed: Floats = (left + right) / (2 * len(among))
    return placed


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else 0.0


def _p(one: Floats, two: Floats, area: float) -> float:
    n, m = len(one), len(two)
    total = n + m
    _, ties = np.unique(np.concatenate([one, two]), return_counts=True)
    tied = float((ties.astype(np.float64) ** 3 - ties).sum()) / (total * (total - 1))
    spread = math.sqrt(n * m / 12 * (total + 1 - tied)) if total > 1 else 0.0
    if not spread:
        return 1.0
    away = abs(area * n * m - n * m / 2) - 0.5
    return min(1.0, math.erfc(max(0.0, away) / spread / math.sqrt(2)))
