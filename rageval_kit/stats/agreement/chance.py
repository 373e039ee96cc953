"""How far do several raters agree beyond chance, when chance is one use of labels for all?"""

from dataclasses import replace
from typing import Literal

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats
from rageval_kit.stats.agreement.estimate import (
    NO_PAIR,
    ONE_LABEL,
    RESAMPLES,
    Agreement,
    Measure,
    estimate,
    ratio,
)
from rageval_kit.stats.agreement.patterns import Patterns, patterns
from rageval_kit.stats.agreement.ratings import Ratings
from rageval_kit.stats.agreement.share import agreeing_pairs

Treatment = Literal["drop", "category"]
TREATMENTS = ("drop", "category")


def fleiss_kappa(
    ratings: Ratings,
    generator: np.random.Generator,
    *,
    missing: Treatment = "drop",
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """Fleiss' kappa (1971): every item has the same number of ratings, by whomever.

    That number is that of the item with the most ratings. An item with fewer is left out
    (`drop`), or what it lacks counts as ratings of one more category (`category`).
    """
    if missing not in TREATMENTS:
        way_out = f"one of {list(TREATMENTS)}"
        raise InputError.one("missing", "is not known here", repr(missing), way_out)
    found = patterns(ratings)
    most = int(found.rated.max(initial=0))
    if missing == "drop":
        found = found.where(found.rated == most)
    else:
        found = Patterns(np.column_stack((found.counts, most - found.rated)), found.items)
    counts = found.counts.astype(np.float64)
    agreed = agreeing_pairs(found) if most > 1 else np.zeros(len(found.items))

    def statistic(drawn: Floats) -> Floats:
        n = drawn.sum(axis=1)
        used = drawn @ counts
        total = used.sum(axis=1, keepdims=True)
        by_chance_not = (used * (total - used)).sum(axis=1) / total[:, 0] ** 2
        return 1 - ratio(1 - drawn @ agreed / n, by_chance_not)

    return estimate(
        Measure(
            "fleiss_kappa",
            missing,
            ratings.n_items,
            ratings.n_raters,
            found.items,
            statistic,
            width=len(ratings.categories) + 1,
            reason="" if most > 1 else NO_PAIR,
        ),
        generator,
        confidence=confidence,
        resamples=resamples,
    )


def gwet_ac1(
    ratings: Ratings,
    generator: np.random.Generator,
    *,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Agreement:
    """Gwet's AC1 (2008; with missing ratings: Handbook of Inter-Rater Reliability, 2014).

    Agreement is measured on items of two ratings or more, and `n_items` is how many these are; an
    item of one rating still counts for how often labels are used, and is resampled with the others.
    It depends on how many categories there are, used or not.
    """
    found = patterns(ratings)
    found = found.where(found.rated > 0)
    rated, q = found.rated, len(ratings.categories)
    shared = rated > 1
    use = found.counts / rated[:, None]
    agreed = agreeing_pairs(found.where(shared))

    def statistic(drawn: Floats) -> Floats:
        seen = ratio(drawn[:, shared] @ agreed, drawn[:, shared].sum(axis=1))
        used = drawn @ use / drawn.sum(axis=1, keepdims=True)
        by_chance = (used * (1 - used)).sum(axis=1) / (q - 1)
        return 1 - ratio(1 - seen, 1 - by_chance)

    reason = "" if shared.any() else NO_PAIR
    told = estimate(
        Measure(
            "gwet_ac1",
            "rated",
            ratings.n_items,
            ratings.n_raters,
            found.items,
            statistic,
            width=q,
            reason=reason or (ONE_LABEL if q == 1 else ""),
        ),
        generator,
        confidence=confidence,
        resamples=resamples,
    )
    return replace(told, n_items=int(found.items[shared].sum()))
