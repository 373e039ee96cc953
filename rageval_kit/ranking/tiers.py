"""What does evidence of a tier weigh?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.ranking.gain import Gain
from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import JudgedRankings

CORE = 3  # grades are tiers: 3 core, 2 supporting, 1 marginal, 0 and below none


@dataclass(frozen=True, slots=True)
class Tiers:
    """Weights from 0 to 1, none above that of a higher tier: the best grade weighs most."""

    core: float = 1.0
    supporting: float = 0.5
    marginal: float = 0.1

    def __post_init__(self) -> None:
        if not (0 <= self.marginal <= self.supporting <= self.core <= 1 and self.core > 0):
            problem = "weights must fall from at most 1: core, supporting, marginal, none below 0"
            met = f"{self.core}, {self.supporting}, {self.marginal}"
            raise InputError.one("evidence tiers", problem, met, "for example 1.0, 0.5, 0.1")

    def of(self, judged: JudgedRankings) -> Gain:
        """The weight of a grade; refused if any judgment is above core, and so of no tier.

        All judgments are looked at, not only what a list returned: whether a file of grades can be
        read as tiers does not depend on the run that is scored with it.
        """
        if (highest := int(judged.judged_grade.max(initial=0))) > CORE:
            way_out = "grade evidence 3 (core), 2 (supporting), 1 (marginal) or 0"
            raise InputError.one("evidence tiers", "a grade is no tier", str(highest), way_out)
        weights = np.array([0.0, self.marginal, self.supporting, self.core])
        return lambda grade: weights[np.maximum(grade, 0)]

    @property
    def suffix(self) -> str:
        """What a measure's name carries where the weights are not the shipped ones."""
        weights = f"[{self.core:g},{self.supporting:g},{self.marginal:g}]"
        return "" if self == Tiers() else weights
