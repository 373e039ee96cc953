"""What do the paired t test and Wilcoxon's signed ranks say of the same differences?"""

import math

import numpy as np

from rageval_kit.records.scores import Floats, Ints
from rageval_kit.stats.bootstrap import is_constant
from rageval_kit.stats.distributions import normal_share, two_sided_p
from rageval_kit.stats.permutation import PairedTest

_MOST_EXACT = 50
_MOST_EXACT_TIED = 13
_DIGITS = 12  # differences of scores that agree to so many decimals are ties


def paired_t(differences: Floats) -> PairedTest:
    """Student's test that the mean difference is 0, two-sided."""
    method = "paired t"
    differences = np.asarray(differences, dtype=np.float64)
    n = len(differences)
    reason = _unusable(differences)
    if not reason and n == 1:
        reason = "one difference has no spread"
    if not reason and is_constant(differences):
        reason = f"all {n} differences are equal: t is not defined"
    if reason:
        return PairedTest(None, None, n, method, reason)
    t = float(differences.mean() / (differences.std(ddof=1) / math.sqrt(n)))
    return PairedTest(two_sided_p(t, n - 1), t, n, method)


def wilcoxon(differences: Floats) -> PairedTest:
    """Signed ranks, two-sided; zeros are dropped, ties share their mean rank.

    Exact up to 50 differences without zeros or ties and up to 13 with them, else by the normal
    distribution with the variance corrected for ties and no continuity correction.
    """
    differences = np.asarray(np.round(differences, _DIGITS), dtype=np.float64)
    n = len(differences)
    reason = _unusable(differences)
    if not reason and not differences.any():
        reason = f"all {n} differences are 0: nothing to rank"
    if reason:
        return PairedTest(None, None, n, "wilcoxon", reason)
    kept = differences[differences != 0]
    _, place, ties = np.unique(np.abs(kept), return_inverse=True, return_counts=True)
    doubled: Ints = (2 * np.cumsum(ties) - ties + 1)[place]  # twice the mean rank is whole
    total = int(doubled.sum())
    smaller = min(int(doubled[kept > 0].sum()), int(doubled[kept < 0].sum()))
    plain = len(kept) == n and ties.max() == 1
    if n <= (_MOST_EXACT if plain else _MOST_EXACT_TIED):
        return PairedTest(_exact_p(doubled, smaller), smaller / 2, n, "wilcoxon, exact")
    m = len(kept)
    variance = m * (m + 1) * (2 * m + 1) / 24 - float((ties**3 - ties).sum()) / 48
    z = (smaller - total / 2) / 2 / math.sqrt(variance)
    return PairedTest(2 * normal_share(z), smaller / 2, n, "wilcoxon, normal approximation")


def _unusable(differences: Floats) -> str:
    if len(differences) == 0:
        return "nothing was measured in both"
    return "" if np.isfinite(differences).all() else "a difference is not a finite number"


def _exact_p(doubled: Ints, smaller: int) -> float:
    """The share of all signs whose smaller doubled rank sum is at most `smaller`."""
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1
    for rank in doubled.tolist():
        shifted = np.zeros_like(ways)
        shifted[rank:] = ways[: len(ways) - rank]
        ways = ways + shifted
    return min(1.0, 2 * float(ways[: smaller + 1].sum() / ways.sum()))
