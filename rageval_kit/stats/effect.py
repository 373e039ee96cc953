"""How large is a difference between two systems, whatever its p-value?"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rageval_kit.records.scores import Floats
from rageval_kit.stats.bootstrap import ROUNDING, is_constant

_FEWEST_UNBIASED = 3


@dataclass(frozen=True, slots=True)
class PairedEffect:
    """Sizes of a difference over `n` pairs; where one is None, `reasons[name]` says why.

    `relative` is the mean difference over the baseline's mean. `d_z` (Cohen) is the mean difference
    in standard deviations of the differences, `g_z` (Hedges) the same without its bias at small n.
    `better`, `worse` and `equal` are shares of pairs; `dominance` is better less worse.
    """

    n: int
    difference: float | None = None
    relative: float | None = None
    d_z: float | None = None
    g_z: float | None = None
    better: float | None = None
    worse: float | None = None
    equal: float | None = None
    dominance: float | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)


def paired_effect(baseline: Floats, candidate: Floats) -> PairedEffect:
    """Of candidate over baseline, pair by pair; higher is better."""
    n = len(baseline)
    if n == 0 or not (np.isfinite(baseline).all() and np.isfinite(candidate).all()):
        why = "a value is not a finite number" if n else "nothing was measured in both"
        names = ("difference", "relative", "d_z", "g_z", "better", "worse", "equal", "dominance")
        return PairedEffect(n, reasons=dict.fromkeys(names, why))
    differences = paired_differences(baseline, candidate)
    difference, reasons = float(differences.mean()), {}
    relative = d_z = g_z = None
    if start := float(np.mean(baseline)):
        relative = difference / start
    else:
        reasons["relative"] = "the mean of the baseline is 0"
    if n > 1 and not is_constant(differences):
        d_z = difference / float(differences.std(ddof=1))
        g_z = d_z * _unbiasing(n - 1) if n >= _FEWEST_UNBIASED else None
        if g_z is None:
            reasons["g_z"] = "two differences are too few for the correction"
    else:
        why = f"all {n} differences are equal" if n > 1 else "one difference has no spread"
        reasons |= {"d_z": why, "g_z": why}
    better, worse = float((differences > 0).mean()), float((differences < 0).mean())
    equal = float((differences == 0).mean())
    return PairedEffect(
        n, difference, relative, d_z, g_z, better, worse, equal, better - worse, reasons
    )


def paired_differences(baseline: Floats, candidate: Floats) -> Floats:
    """Candidate minus baseline; what differs only by rounding is 0."""
    differences: Floats = np.asarray(candidate, np.float64) - np.asarray(baseline, np.float64)
    scale = np.maximum(np.abs(baseline), np.abs(candidate))
    return np.where(np.abs(differences) <= 1e-3 * ROUNDING * scale, 0.0, differences)


def _unbiasing(df: int) -> float:
    """Hedges' factor, exact: Γ(df/2) / (√(df/2) Γ((df-1)/2))."""
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2)) / math.sqrt(df / 2)
