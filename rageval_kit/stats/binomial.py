"""How large may a true share be, given k of n seen? Exact, for any n, without an approximation."""

import math

from rageval_kit.records.faults import InputError

_TINY = 1e-300
_PRECISION = 1e-16
_MOST_TERMS = 100_000
_MOST_HALVINGS = 200


def clopper_pearson(k: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval of a share: each tail holds half of what confidence leaves."""
    _check(k, n, 1 - confidence, "confidence", confidence)
    tail = (1 - confidence) / 2
    return _lower(k, n, tail), _upper(k, n, tail)


def upper_bound(k: int, n: int, alpha: float = 0.05) -> float:
    """The exact one-sided bound: a larger share would show k or fewer of n with less than alpha."""
    _check(k, n, alpha, "alpha", alpha)
    return _upper(k, n, alpha)


def _check(k: int, n: int, alpha: float, name: str, met: float) -> None:
    if not 0 < alpha < 1:
        raise InputError.one(name, "must lie between 0 and 1", repr(met), "0.95 and 0.05 are usual")
    if n < 1 or not 0 <= k <= n:
        raise InputError.one("share", "needs 0 <= k <= n and n >= 1", f"k={k}, n={n}")


def _upper(k: int, n: int, alpha: float) -> float:
    if k == n:
        return 1.0
    if k == 0:
        return -math.expm1(math.log(alpha) / n)
    # P(X <= k | p) = alpha, and P(X <= k | p) = 1 - I_p(k + 1, n - k) = I_{1-p}(n - k, k + 1).
    return 1 - _solve(n - k, k + 1, alpha)


def _lower(k: int, n: int, alpha: float) -> float:
    if k == 0:
        return 0.0
    if k == n:
        return math.exp(math.log(alpha) / n)
    return _solve(k, n - k + 1, alpha)


def _solve(a: float, b: float, share: float) -> float:
    """The x at which the regularised incomplete beta function I_x(a, b) equals `share`."""
    low, high = 0.0, 1.0
    for _ in range(_MOST_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if incomplete_beta(middle, a, b) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b), by the continued fraction on the side on which it converges fast."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    scale = math.exp(_log_scale(x, a, b))
    return scale * _fraction(x, a, b) / a


def _log_scale(x: float, a: float, b: float) -> float:
    """log(x^a (1-x)^b / B(a, b))."""
    return (
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function (modified Lentz)."""
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > _TINY else _TINY)
    value = d
    for m in range(1, _MOST_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + term * d
            d = 1 / (d if abs(d) > _TINY else _TINY)
            c = 1 + term / c
            c = c if abs(c) > _TINY else _TINY
            step = c * d
            value *= step
        if abs(step - 1) < _PRECISION:
            return value
    return value
