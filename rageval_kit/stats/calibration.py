"""Does a stated confidence come true as often as it says?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Floats, Mask


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers whose confidence lies in (low, high], the first bin also at 0; None where empty."""

    low: float
    high: float
    n: int
    confidence: float | None
    correct: float | None


@dataclass(frozen=True, slots=True)
class Calibration:
    """`ece`: expected calibration error, the mean gap of the bins weighted by their n.

    `brier`: mean squared gap of each answer. Both None, and `reason` says why, where n is 0.
    """

    n: int
    ece: float | None
    brier: float | None
    bins: tuple[Bin, ...]
    reason: str = ""


def calibration(confidence: Floats, correct: Mask, bins: int = 10) -> Calibration:
    """Of answers with a stated confidence in [0, 1] each, right or wrong, over equal-width bins.

    Bins are closed on the right, so that a confidence of exactly 1 lies in the last of them. Naeini
    et al. (2015) define the error, Brier (1950) the score.
    """
    confidence = np.asarray(confidence, dtype=np.float64)
    correct = np.asarray(correct)
    _check(confidence, correct, bins)
    edges = np.linspace(0.0, 1.0, bins + 1)
    place = np.clip(np.searchsorted(edges, confidence, side="left") - 1, 0, bins - 1)
    size = np.bincount(place, minlength=bins)
    stated = np.bincount(place, confidence, minlength=bins)
    right = np.bincount(place, correct.astype(np.float64), minlength=bins)
    curve = tuple(
        Bin(
            float(edges[i]),
            float(edges[i + 1]),
            int(size[i]),
            float(stated[i] / size[i]) if size[i] else None,
            float(right[i] / size[i]) if size[i] else None,
        )
        for i in range(bins)
    )
    n = len(confidence)
    if not n:
        return Calibration(0, None, None, curve, "no answer states its confidence")
    ece = float(np.abs(stated - right).sum() / n)
    brier = float(((confidence - correct) ** 2).mean())
    return Calibration(n, ece, brier, curve)


def _check(confidence: Floats, correct: Mask, bins: int) -> None:
    faults = []
    if len(confidence) != len(correct):
        met = f"{len(confidence)} and {len(correct)}"
        faults.append(Fault("calibration", "needs one confidence for every answer", met))
    outside = confidence[~((confidence >= 0) & (confidence <= 1))]
    if len(outside):
        way_out = "state it from 0 to 1; leave out what states none"
        faults.append(Fault("confidence", "must lie in [0, 1]", str(outside[0]), way_out))
    if not np.isin(correct, (0, 1)).all():
        faults.append(Fault("correct", "must be true or false for every answer"))
    if bins < 1:
        faults.append(Fault("bins", "must be 1 or more", str(bins), "10 is usual"))
    if faults:
        raise InputError(faults)
