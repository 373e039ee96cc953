"""Which coefficients can these ratings have, all raters together and two by two?"""

from dataclasses import dataclass

from rageval_kit.records.streams import stream
from rageval_kit.stats.agreement.chance import Treatment, fleiss_kappa, gwet_ac1
from rageval_kit.stats.agreement.estimate import RESAMPLES, Agreement
from rageval_kit.stats.agreement.krippendorff import krippendorff_alpha
from rageval_kit.stats.agreement.pair import cohen_kappa
from rageval_kit.stats.agreement.ratings import MISSING, Ratings
from rageval_kit.stats.agreement.share import observed_agreement

_TWO = 2


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Raters `first` and `second`, by their columns."""

    first: int
    second: int
    observed: Agreement
    kappa: Agreement


def overview(
    ratings: Ratings, seed: int = 0, *, missing: Treatment = "drop", resamples: int = RESAMPLES
) -> tuple[Agreement, ...]:
    """Every coefficient, Cohen's kappa only where there are two raters.

    Each draws from a stream of its own, so that asking for one more changes no other.
    """
    n = resamples
    told = [observed_agreement(ratings, stream(seed, "agreement", "observed"), resamples=n)]
    if ratings.n_raters == _TWO:
        told += [
            cohen_kappa(ratings, stream(seed, "agreement", "kappa", w), weights=w, resamples=n)
            for w in ("none", "linear", "quadratic")
        ]
    told += [
        krippendorff_alpha(ratings, stream(seed, "agreement", "alpha", one), level=one, resamples=n)
        for one in ("nominal", "ordinal", "interval")
    ]
    fleiss = stream(seed, "agreement", "fleiss", missing)
    told.append(fleiss_kappa(ratings, fleiss, missing=missing, resamples=n))
    told.append(gwet_ac1(ratings, stream(seed, "agreement", "ac1"), resamples=n))
    return tuple(told)


def by_pair(
    ratings: Ratings, seed: int = 0, *, resamples: int = RESAMPLES
) -> tuple[PairAgreement, ...]:
    """Every two raters that rated some item both, in the order of their columns."""
    rated = (ratings.codes != MISSING).astype(float)
    shared = rated.T @ rated
    found = []
    for i in range(ratings.n_raters):
        for j in range(i + 1, ratings.n_raters):
            if shared[i, j]:
                two, names = ratings.pair(i, j), ("agreement", "pair", str(i), str(j))
                observed = observed_agreement(
                    two, stream(seed, *names, "observed"), resamples=resamples
                )
                kappa = cohen_kappa(two, stream(seed, *names, "kappa"), resamples=resamples)
                found.append(PairAgreement(i, j, observed, kappa))
    return tuple(found)
