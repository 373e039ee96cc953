"""Do choices among equally likely options betray what is hidden, and how many facts would tell?

With nothing told, an answer that names one of `options` is right once in `options` times. Of an
answer that names none, or several, nothing is learnt: it is a miss, and no chance was taken.
"""

import math
from dataclasses import dataclass

from rageval_kit.checks.at_chance import ALPHA
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.stats.binomial import clopper_pearson, incomplete_beta, upper_bound

_MOST_FACTS = 1_000_000
_MARGIN = 60  # beyond the normal approximation exact power is searched this far, and a fifth more


@dataclass(frozen=True, slots=True)
class ChoiceFigures:
    """Of `asked` facts `right` were chosen rightly and `wrong` wrongly; the rest were no choice.

    `p`: how likely chance alone is right so often among the choices made. `leaked`: the share of
    the facts that was told, at best estimate; `bound`: it is at most that much, with 95 %.
    """

    asked: int
    right: int
    wrong: int
    options: int
    p: float
    leaked: float
    bound: float


def figures(right: int, wrong: int, asked: int, options: int) -> ChoiceFigures:
    """A leaked fact is answered rightly; any other by chance, or by no choice at all.

    So the leaked share is `right - wrong / (options - 1)`, in shares of all facts. Where every
    answer made a choice that is (hit - 1/m) / (1 - 1/m), and so is its bound; else both shares are
    uncertain, and each gets half of what is left to err.
    """
    _check(options)
    chosen, others = right + wrong, options - 1
    p = at_least(right, chosen, 1 / options)
    if not asked:
        return ChoiceFigures(0, 0, 0, options, 1.0, 0.0, 1.0)
    leaked = (right - wrong / others) / asked
    if chosen == asked:
        bound = (upper_bound(right, asked) - 1 / options) / (1 - 1 / options)
    elif wrong == 0:
        bound = upper_bound(right, asked)
    else:
        most = upper_bound(right, asked, 0.025)
        bound = most - clopper_pearson(wrong, asked)[0] / others
    return ChoiceFigures(asked, right, wrong, options, p, max(0.0, leaked), min(1.0, max(0, bound)))


def at_least(hits: int, n: int, share: float) -> float:
    """P(X >= hits) of n, exact."""
    if hits <= 0 or hits > n:
        return float(hits <= 0)
    return incomplete_beta(share, hits, n - hits + 1)


def power_of(n: int, options: int, share: float, alpha: float = ALPHA) -> float:
    """How probably `n` facts show a leaked `share`, the others being answered by chance."""
    _check(options, share, alpha=alpha)
    return at_least(_critical(n, options, alpha), n, share + (1 - share) / options)


def facts_needed(options: int, share: float, power: float, alpha: float = ALPHA) -> int:
    """The fewest facts from which on a leaked `share` is found with `power`.

    Exact power goes up and down by a little from one number to the next: from this one on it stays.
    """
    _check(options, share, power, alpha)
    about = _normal(options, share, power, alpha)
    if about > _MOST_FACTS:
        way_out = "look for a larger share, or with less power"
        raise InputError.one("share", "would take more than a million facts", repr(share), way_out)
    first, last = max(1, int(about * 0.8) - _MARGIN), int(about * 1.2) + _MARGIN
    hit = share + (1 - share) / options
    critical, needed = _critical(first, options, alpha), first
    for n in range(first, last):
        while at_least(critical, n, 1 / options) > alpha:
            critical += 1
        if at_least(critical, n, hit) < power:
            needed = n + 1
    return needed


def smallest_share(n: int, options: int, power: float, alpha: float = ALPHA) -> float | None:
    """The leaked share that `n` facts show with `power`; None: not even if all were leaked."""
    _check(options, power=power, alpha=alpha)
    if n < 1 or at_least(n, n, 1 / options) > alpha:
        return None
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if power_of(n, options, middle, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def _critical(n: int, options: int, alpha: float) -> int:
    """The fewest hits of n that chance brings with at most alpha; n + 1: none do."""
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if at_least(middle, n, 1 / options) > alpha:
            low = middle
        else:
            high = middle
    return high


def _normal(options: int, share: float, power: float, alpha: float) -> float:
    from statistics import NormalDist

    chance = 1 / options
    hit = share + (1 - share) * chance
    z = NormalDist().inv_cdf
    spread = z(1 - alpha) * math.sqrt(chance * (1 - chance))
    spread += z(power) * math.sqrt(max(0.0, hit * (1 - hit)))
    return (spread / (hit - chance)) ** 2


def _check(options: int, share: float = 0.5, power: float = 0.5, alpha: float = ALPHA) -> None:
    faults = []
    if options <= 1:
        faults.append(Fault("options", "must be 2 or more", repr(options)))
    if not 0 < share <= 1:
        faults.append(Fault("share", "must lie above 0 and be at most 1", repr(share)))
    if not 0 < alpha < 1:
        faults.append(Fault("alpha", "must lie between 0 and 1", repr(alpha), "0.01 is usual"))
    if not alpha < power < 1:
        faults.append(Fault("power", "must lie between alpha and 1", repr(power), "0.9 is usual"))
    if faults:
        raise InputError(faults)
