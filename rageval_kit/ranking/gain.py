"""What is a result of a grade worth at its rank?"""

from collections.abc import Callable

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints, JudgedRankings

Gain = Callable[[Ints], Floats]

# 2^1000 leaves room for a sum over eight million results below the largest 64-bit number.
_HIGHEST = 1000


def linear(grade: Ints) -> Floats:
    """The grade itself; below 0 it is worth nothing."""
    return np.maximum(grade, 0).astype(np.float64)


def exponential(grade: Ints) -> Floats:
    """2^grade - 1; below 0 it is worth nothing, and a grade past all numbers is refused."""
    highest = int(grade.max(initial=0))
    if highest > _HIGHEST:
        problem = f"a gain of 2^grade - 1 has no number above grade {_HIGHEST}"
        raise InputError.one("grade", problem, str(highest), "use ndcg_linear or dcg_linear")
    exponent = np.maximum(grade, 0).astype(np.int32)  # ldexp is exact, exp2 need not be
    gains: Floats = np.ldexp(1.0, exponent) - 1
    return gains


def discounted(judged: JudgedRankings, k: int | None, gain: Gain) -> Floats:
    """Sum of gain / log2(rank + 1) over the first `k` results, in rank order, per query."""
    kept = slice(None) if k is None else judged.rank <= k
    query, rank, grade = judged.query[kept], judged.rank[kept], judged.grade[kept]
    return judged.total(query, gain(grade) / np.log2(rank + 1))


def ideal(judged: JudgedRankings, k: int | None, gain: Gain) -> Floats:
    """The same sum for the best ranking there could be: all that is judged, best grade first."""
    query, rank, grade = judged.best(k)
    return judged.total(query, gain(grade) / np.log2(rank + 1))
