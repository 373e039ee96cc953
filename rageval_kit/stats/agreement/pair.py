"""How far do two raters agree beyond what their own habits would bring about?"""

from typing import Literal

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats
from rageval_kit.stats.agreement.estimate import (
    NO_ORDER,
    RESAMPLES,
    Agreement,
    Measure,
    estimate,
    ratio,
)
from rageval_kit.stats.agreement.ratings import MISSING, Ratings

Weights = Literal["none", "linear", "quadratic"]
NAMES = {
    "none": "cohen_kappa",
    "linear": "cohen_kappa_linear",
    "quadratic": "cohen_kappa_quadratic",
}
_TWO = 2


def cohen_kappa(
    ratings: Ratings,
    generator: np.random.Generator,
    *,
    weights: Weights = "none",
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """Cohen's kappa (1960), or weighted by how many categories apart two labels are (1968).

    Chance is each rater's own use of the labels. An item that one of the two did not rate is left
    out. The distance between categories is that of their places, whatever their labels.
    """
    if ratings.n_raters != _TWO:
        way_out = "take two with `pair`, or use fleiss_kappa or krippendorff_alpha"
        raise InputError.one("cohen_kappa", "is for two raters", str(ratings.n_raters), way_out)
    if weights not in NAMES:
        raise InputError.one("weights", "is not known here", repr(weights), f"one of {list(NAMES)}")
    q = len(ratings.categories)
    both = ratings.codes[(ratings.codes != MISSING).all(axis=1)]
    cell, items = np.unique(both[:, 0] * q + both[:, 1], return_counts=True)
    first, second = np.divmod(cell, max(q, 1))
    cost = _cost(q, weights)
    label = np.eye(q)

    def statistic(drawn: Floats) -> Floats:
        seen = drawn @ cost[first, second]
        by_chance = ((drawn @ label[first] @ cost) * (drawn @ label[second])).sum(axis=1)
        return 1 - ratio(seen * drawn.sum(axis=1), by_chance)

    return estimate(
        Measure(
            NAMES[weights],
            "both_rated",
            ratings.n_items,
            ratings.n_raters,
            items,
            statistic,
            width=q,
            reason=NO_ORDER if weights != "none" and not ratings.ordered else "",
        ),
        generator,
        confidence=confidence,
        resamples=resamples,
    )


def _cost(q: int, weights: Weights) -> Floats:
    place = np.arange(q)
    apart = np.abs(place[:, None] - place)
    chosen = {"none": apart > 0, "linear": apart, "quadratic": apart**2}[weights]
    cost: Floats = chosen.astype(np.float64)
    return cost
