"""How often do two raters of an item give it the same label?"""

import numpy as np

from rageval_kit.records.scores import Floats
from rageval_kit.stats.agreement.estimate import NO_PAIR, RESAMPLES, Agreement, check
from rageval_kit.stats.agreement.patterns import Patterns, patterns
from rageval_kit.stats.agreement.ratings import Ratings
from rageval_kit.stats.bootstrap import mean_interval


def observed_agreement(
    ratings: Ratings,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """The mean over items of the share of pairs of raters that agree (Fleiss 1971, equation 2).

    Where all items are agreed on, or none is, the interval is the exact one of a share.
    """
    check(confidence, resamples)
    found = patterns(ratings)
    found = found.where(found.rated > 1)
    each = np.repeat(agreeing_pairs(found), found.items)
    mean = mean_interval(
        each, generator, confidence=confidence, resamples=resamples, unit_interval=True
    )
    return Agreement(
        coefficient="observed_agreement",
        value=mean.mean,
        low=mean.low,
        high=mean.high,
        n_items=mean.n,
        n_total=ratings.n_items,
        n_raters=ratings.n_raters,
        missing="pairable",
        reason=NO_PAIR if mean.mean is None else "",
        note=mean.reason if mean.mean is not None else "",
        confidence=confidence,
    )


def agreeing_pairs(found: Patterns) -> Floats:
    """The share of agreeing pairs of an item of each pattern, each of two ratings or more."""
    rated = found.rated
    share: Floats = (found.counts * (found.counts - 1)).sum(axis=1) / (rated * (rated - 1))
    return share
