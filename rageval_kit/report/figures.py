"""How is a number printed so that its rounding never says more, or other, than was measured?"""

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rageval_kit.records.decisions import GateResult

_MOST_DIGITS = 17
_LEAST_P = 1e-99


def count(n: int) -> str:
    return f"{n:,}"


def figure(value: float, reference: float | None = None, decimals: int = 3) -> str:
    """`value` with digits enough to stay on its side of `reference` (never 0.90 >= 0.90)."""
    if not math.isfinite(value):
        raise ValueError(f"{value!r} is not a measured number")
    if reference is None or not math.isfinite(reference):
        return _rounded(value, decimals)
    for digits in range(decimals, _MOST_DIGITS + 1):
        shown = f"{value:.{digits}f}"
        if _side(float(shown), reference) == _side(value, reference):
            return shown
    return repr(value)


def _side(value: float, reference: float) -> int:
    return (value > reference) - (value < reference)


def _rounded(value: float, decimals: int) -> str:
    # A value that is not zero is not shown as zero, nor one below 1 as 1.
    for digits in range(decimals, _MOST_DIGITS + 1):
        shown = f"{value:.{digits}f}"
        met = float(shown)
        if (met == 0) == (value == 0) and (met == 1) == (value == 1):
            return shown
    return repr(value)


def chance(p: float) -> str:
    """A probability with two digits, however small; never shown as 0."""
    return f"{p:.2g}" if p >= _LEAST_P else f"< {_LEAST_P:g}"


def bound(value: float) -> str:
    """An upper bound in percent, three digits, rounded up: a bound may not shrink in print."""
    return _percent(value, ROUND_CEILING)


def least(value: float) -> str:
    """A lower bound in percent, three digits, rounded down."""
    return _percent(value, ROUND_FLOOR)


def _percent(value: float, rounding: str) -> str:
    share = Decimal(repr(value)) * 100
    if share <= 0:
        return "0%"
    step = Decimal(1).scaleb(share.adjusted() - 2)
    return f"{min(share.quantize(step, rounding=rounding), Decimal(100)):f}%"


def gate_value(gate: "GateResult") -> str:
    """The value a gate met: its own words unless they would contradict its outcome; '' if none."""
    value = gate.value
    if value is None or not math.isfinite(value):
        return ""
    shown = gate.shown.strip()
    if shown and _agrees(shown, value, gate.threshold):
        return shown
    if value.is_integer() and (gate.threshold is None or gate.threshold.is_integer()):
        return count(int(value))
    return figure(value, gate.threshold)


def _agrees(shown: str, value: float, threshold: float | None) -> bool:
    first = shown.split(maxsplit=1)[0].replace(",", "")
    try:
        met = float(first.rstrip("%")) / (100 if first.endswith("%") else 1)
    except ValueError:
        return False
    if not math.isfinite(met):
        return False
    if met in (0, 1) and met != value:
        return False  # 0.998 is not 1.00
    if threshold is None:
        return math.isclose(met, value, rel_tol=0.01, abs_tol=0.001)
    return _side(met, threshold) == _side(value, threshold)
