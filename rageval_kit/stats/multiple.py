"""What do p-values come to once it counts how many were looked at?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rageval_kit.records.faults import Fault, InputError

PValues = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Adjusted p-values in the order given; `n` were counted, `left_out` had no p-value.

    A test without a p-value stays None and does not count: it could not have been significant.
    """

    values: tuple[float | None, ...]
    n: int
    left_out: int
    method: str


def holm(p_values: PValues) -> Adjusted:
    """Keeps the chance of even one false discovery below the level (step-down)."""
    order = _ascending(p_values)
    adjusted, reached = {}, 0.0
    for rank, (p, i) in enumerate(order):
        reached = max(reached, min(1.0, (len(order) - rank) * p))
        adjusted[i] = reached
    return _in_order(p_values, adjusted, "holm")


def benjamini_hochberg(p_values: PValues) -> Adjusted:
    """Keeps the expected share of false ones among the discoveries below the level (step-up).

    Valid where the tests are independent or positively dependent, as measures of one ranking are.
    """
    order = _ascending(p_values)
    adjusted, reached = {}, 1.0
    for rank, (p, i) in reversed(list(enumerate(order, start=1))):
        reached = min(reached, len(order) * p / rank)
        adjusted[i] = reached
    return _in_order(p_values, adjusted, "benjamini_hochberg")


def _ascending(p_values: PValues) -> list[tuple[float, int]]:
    faults = [
        Fault(f"p-value {i}", "must lie in [0, 1]", repr(p), "None where there is no p-value")
        for i, p in enumerate(p_values)
        if p is not None and (math.isnan(p) or not 0 <= p <= 1)
    ]
    if faults:
        raise InputError(faults)
    return sorted((p, i) for i, p in enumerate(p_values) if p is not None)


def _in_order(p_values: PValues, adjusted: dict[int, float], method: str) -> Adjusted:
    values = tuple(adjusted.get(i) for i in range(len(p_values)))
    return Adjusted(values, len(adjusted), len(values) - len(adjusted), method)
