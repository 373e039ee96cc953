"""How small a difference can so many queries show, and how many does a given one need?"""

import math
from dataclasses import dataclass

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.stats.distributions import student_quantile

_MOST_N = 10**9


@dataclass(frozen=True, slots=True)
class PairedDesign:
    """`n` pairs whose differences have standard deviation `sd` show a mean of `effect`.

    A two-sided paired t test at level `alpha` finds it with probability `power`. `n` or `effect` is
    None where there is none, and `reason` says why.
    """

    n: int | None
    effect: float | None
    sd: float
    alpha: float = 0.05
    power: float = 0.8
    reason: str = ""


def smallest_effect(n: int, sd: float, *, alpha: float = 0.05, power: float = 0.8) -> PairedDesign:
    """(t at 1 - alpha/2 + t at power) * sd / √n: both from Student's distribution.

    Within one percent of the exact answer (the noncentral distribution) from ten pairs on.
    """
    _check(sd, alpha, power)
    if n <= 1:
        why = "one pair shows no spread" if n == 1 else "there are no pairs"
        return PairedDesign(n, None, sd, alpha, power, why)
    if sd == 0:
        return PairedDesign(n, None, sd, alpha, power, "all differences are equal: no spread")
    return PairedDesign(n, _reach(n, alpha, power) * sd, sd, alpha, power)


def needed_pairs(
    effect: float, sd: float, *, alpha: float = 0.05, power: float = 0.8
) -> PairedDesign:
    """The fewest pairs whose smallest effect is at most `effect`."""
    _check(sd, alpha, power)
    if not math.isfinite(effect):
        raise InputError.one("effect", "must be a finite number", repr(effect))
    target, few, enough = abs(effect), 1, 2
    if effect == 0 or sd == 0:
        why = (
            "no number of pairs shows an effect of 0"
            if sd
            else "all differences are equal: no spread"
        )
        return PairedDesign(None, effect, sd, alpha, power, why)
    while _reach(enough, alpha, power) * sd > target:
        few, enough = enough, 2 * enough
        if enough > _MOST_N:
            return PairedDesign(None, effect, sd, alpha, power, "more than a billion pairs")
    while enough - few > 1:
        middle = (few + enough) // 2
        if _reach(middle, alpha, power) * sd > target:
            few = middle
        else:
            enough = middle
    return PairedDesign(enough, effect, sd, alpha, power)


def _reach(n: int, alpha: float, power: float) -> float:
    """The smallest effect in standard deviations of the differences."""
    df = n - 1
    return (student_quantile(1 - alpha / 2, df) + student_quantile(power, df)) / math.sqrt(n)


def _check(sd: float, alpha: float, power: float) -> None:
    faults = []
    if not (math.isfinite(sd) and sd >= 0):
        faults.append(Fault("sd", "must be a finite number, 0 or more", repr(sd)))
    if not 0 < alpha < 1:
        faults.append(Fault("alpha", "must lie between 0 and 1", repr(alpha), "0.05 is usual"))
    if not alpha < power < 1:
        faults.append(Fault("power", "must lie between alpha and 1", repr(power), "0.8 is usual"))
    if faults:
        raise InputError(faults)
