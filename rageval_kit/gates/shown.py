"""How many digits must a number show so that a reader sees why it passed or failed?"""

from decimal import ROUND_HALF_EVEN, Decimal

_MOST_DIGITS = 17


def shown(value: float, threshold: float, digits: int = 2) -> str:
    """`value` with at least `digits` decimals, and as many as tell it from `threshold`.

    0.8999 against 0.9 is `0.8999`, never `0.90`; 0.85 against 0.9 is `0.85`.
    """
    exact, limit = Decimal(repr(float(value))), Decimal(repr(float(threshold)))
    for places in range(digits, _MOST_DIGITS):
        step = Decimal(1).scaleb(-places)
        rounded = exact.quantize(step, rounding=ROUND_HALF_EVEN)
        against = limit.quantize(step, rounding=ROUND_HALF_EVEN)
        same_side = (rounded > limit) == (exact > limit) and (rounded < limit) == (exact < limit)
        if same_side and (rounded != against or exact == limit):
            return f"{rounded:f}"
    return f"{exact:f}"


def number(value: float) -> str:
    """A threshold or a count as it was given: 0.9, 100, 0.0005."""
    exact = Decimal(repr(float(value)))
    return f"{exact:f}".rstrip("0").rstrip(".") if exact == exact.to_integral() else f"{exact:f}"
