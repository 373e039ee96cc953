"""How far do any number of raters agree, whichever ratings are missing and whatever the scale?"""

from typing import Literal

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats
from rageval_kit.stats.agreement.estimate import (
    NO_NUMBERS,
    NO_ORDER,
    RESAMPLES,
    Agreement,
    Measure,
    Statistic,
    estimate,
    ratio,
)
from rageval_kit.stats.agreement.patterns import Patterns, patterns
from rageval_kit.stats.agreement.ratings import Ratings, numbers

Level = Literal["nominal", "ordinal", "interval"]
LEVELS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(
    ratings: Ratings,
    generator: np.random.Generator,
    *,
    level: Level = "nominal",
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """1 - observed / expected disagreement (Krippendorff, Computing alpha-reliability, 2011).

    An item of fewer than two ratings is left out. `ordinal` needs an order; its distances are
    those of the ratings at hand, so each resample has its own. `interval` needs labels that are
    numbers.
    """
    if level not in LEVELS:
        raise InputError.one("level", "is not known here", repr(level), f"one of {list(LEVELS)}")
    values = numbers(ratings.categories)
    reason = ""
    if level == "ordinal" and not ratings.ordered:
        reason = NO_ORDER
    elif level == "interval" and values is None:
        reason = NO_NUMBERS
    found = patterns(ratings)
    found = found.where(found.rated > 1)
    if level == "nominal":
        statistic = _nominal(found)
    else:
        known = None if level == "ordinal" else np.array([values or ()], dtype=np.float64)
        statistic = _placed(found, known)
    return estimate(
        Measure(
            f"krippendorff_alpha_{level}",
            "pairable",
            ratings.n_items,
            ratings.n_raters,
            found.items,
            statistic,
            width=len(ratings.categories),
            reason=reason,
        ),
        generator,
        confidence=confidence,
        resamples=resamples,
    )


def _nominal(found: Patterns) -> Statistic:
    counts, rated = found.counts.astype(np.float64), found.rated
    apart = (rated**2 - (counts**2).sum(axis=1)) / (rated - 1)

    def statistic(drawn: Floats) -> Floats:
        used = drawn @ counts
        total = used.sum(axis=1)
        return _alpha(drawn @ apart, total**2 - (used**2).sum(axis=1), total)

    return statistic


def _placed(found: Patterns, values: Floats | None) -> Statistic:
    """Distance is the squared difference of places: numbers, or ranks with ties in the middle.

    Krippendorff's ordinal distance is that of mid-ranks: the ratings from c to k, half of those
    at either end. Of places x of r ratings, all squared differences add to 2 (r Σx² - (Σx)²).
    """
    counts, rated = found.counts.astype(np.float64), found.rated

    def statistic(drawn: Floats) -> Floats:
        used = drawn @ counts
        total = used.sum(axis=1)
        place = np.cumsum(used, axis=1) - used / 2 if values is None else values - values.mean()
        within = rated * (place**2 @ counts.T) - (place @ counts.T) ** 2
        expected = total * (used * place**2).sum(axis=1) - (used * place).sum(axis=1) ** 2
        # Rounding may leave a trace of a difference where there is none.
        several = (used > 0).sum(axis=1) > 1
        return _alpha(
            (drawn * within / (rated - 1)).sum(axis=1), np.where(several, expected, 0.0), total
        )

    return statistic


def _alpha(apart: Floats, expected: Floats, total: Floats) -> Floats:
    """Both disagreements are sums over ordered pairs; of `total` ratings the sample leaves one."""
    return 1 - (total - 1) * ratio(apart, expected)
