"""How often would chance alone, swapping the two systems on each query, differ as much?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats
from rageval_kit.stats.resample import random_words

_RESAMPLES = 10_000
_MOST_EXACT = 36  # differences that are not zero: 2^36 signs, met in the middle at 2^18
_CELLS = 1 << 16  # signs of one block: its arrays stay in a cache
_SLACK = 1e-9  # of the sum of sizes: equal sums, added in another order, count as equal
_BITS = 64


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A two-sided p-value over `n` pairs; where it is None, `reason` says why.

    `statistic` is the mean difference (sign flips), t, or the smaller rank sum; `method` says how
    the p-value came about.
    """

    p: float | None
    statistic: float | None
    n: int
    method: str
    reason: str = ""


def sign_flip(
    differences: Floats, generator: np.random.Generator, *, resamples: int = _RESAMPLES
) -> PairedTest:
    """Fisher's randomisation test of one column of paired differences."""
    column = np.asarray(differences, dtype=np.float64)[:, None]
    return sign_flips(column, generator, resamples=resamples)[0]


def sign_flips(
    columns: Floats, generator: np.random.Generator, *, resamples: int = _RESAMPLES
) -> tuple[PairedTest, ...]:
    """The test for each column of (pairs, measures); measures share the signs.

    Exact where at most 36 differences are not zero, else (b + 1) / (resamples + 1) with b signs of
    `resamples` at least as extreme. A further column changes no number of the others.
    """
    if resamples < 1:
        way_out = "10000 is usual"
        raise InputError.one("resamples", "must be 1 or more", repr(resamples), way_out)
    columns = np.asarray(columns, dtype=np.float64)
    results = [_without_chance(column) or _exact(column) for column in columns.T]
    drawn = [i for i, result in enumerate(results) if result is None]
    if drawn:
        n, observed = len(columns), np.abs(columns[:, drawn].sum(axis=0))
        extreme = _count_extreme(columns[:, drawn], observed, generator, resamples)
        for i, b in zip(drawn, extreme.tolist(), strict=True):
            p, mean = (b + 1) / (resamples + 1), float(columns[:, i].mean())
            results[i] = PairedTest(p, mean, n, f"sign flips, {resamples} drawn")
    return tuple(result for result in results if result is not None)


def _without_chance(column: Floats) -> PairedTest | None:
    n = len(column)
    if n == 0:
        return PairedTest(None, None, 0, "sign flips", "nothing was measured in both")
    if not np.isfinite(column).all():
        return PairedTest(None, None, n, "sign flips", "a difference is not a finite number")
    if not column.any():
        reason = f"all {n} differences are 0: any sign gives the same"
        return PairedTest(1.0, 0.0, n, "sign flips, exact", reason)
    return None


def _exact(column: Floats) -> PairedTest | None:
    """All 2^n signs: each half's sums are listed, and for each of one half those of the other."""
    sizes = np.abs(column[column != 0])
    if len(sizes) > _MOST_EXACT:
        return None
    threshold = abs(float(column.sum())) - _SLACK * float(sizes.sum())
    ours, others = _signed_sums(sizes[::2]), np.sort(_signed_sums(sizes[1::2]))
    if threshold <= 0:
        p = 1.0
    else:
        above = len(others) - np.searchsorted(others, threshold - np.sort(ours), "left")
        p = 2 * int(above.sum()) / (len(ours) * len(others))  # the signs are symmetric
    return PairedTest(p, float(column.mean()), len(column), "sign flips, exact")


def _signed_sums(sizes: Floats) -> Floats:
    sums = np.zeros(1)
    for size in sizes:
        sums = np.concatenate((sums - size, sums + size))
    return sums


def _count_extreme(
    columns: Floats, observed: Floats, generator: np.random.Generator, resamples: int
) -> Floats:
    """How many random signs of the rows give each column a sum as far from 0 as observed.

    With a bit b of 0 or 1 per row, the signed sum is twice the sum of the chosen less all.
    """
    n, width = columns.shape
    total = columns.sum(axis=0)
    threshold = observed - _SLACK * np.abs(columns).sum(axis=0)
    words, at_once = -(-n // _BITS), max(1, _CELLS // n)
    extreme = np.zeros(width)
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        bits = random_words(rows * words, generator).view(np.uint8).reshape(rows, -1)
        chosen = np.unpackbits(bits, axis=1, count=n).astype(np.float64)
        extreme += (np.abs(2 * (chosen @ columns) - total) >= threshold).sum(axis=0)
    return extreme
