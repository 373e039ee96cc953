"""What share of a normal or a Student distribution lies below a value, and which value has it?"""

import math

from rageval_kit.stats.binomial import incomplete_beta

_MOST_HALVINGS = 200


def normal_share(z: float) -> float:
    """The share of a normal distribution below `z`."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(share: float) -> float:
    """The value with `share` of a normal distribution below it (0 < share < 1)."""
    from statistics import NormalDist

    return NormalDist().inv_cdf(share)


def two_sided_p(t: float, df: float) -> float:
    """The share of a Student distribution at least as far from 0 as `t`, on both sides."""
    return incomplete_beta(df / (df + t * t), df / 2, 0.5)


def student_quantile(share: float, df: float) -> float:
    """The value with `share` of a Student distribution below it (0 < share < 1), by bisection."""
    both_tails = 2 * min(share, 1 - share)
    low, high = 0.0, 1.0
    while two_sided_p(high, df) > both_tails:
        low, high = high, 2 * high
    for _ in range(_MOST_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if two_sided_p(middle, df) > both_tails:
            low = middle
        else:
            high = middle
    return math.copysign((low + high) / 2, share - 0.5)
