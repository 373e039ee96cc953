"""What does evidence of a tier weigh?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints

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

    def by_grade(self, met: Ints) -> Floats:
        """The weight of grade 0, 1, 2, 3; refused if a grade met is above core, and so no tier."""
        if (highest := int(met.max(initial=0))) > CORE:
            way_out = "grade evidence 3 (core), 2 (supporting), 1 (marginal) or 0"
            raise InputError.one("evidence tiers", "a grade is no tier", str(highest), way_out)
        return np.array([0.0, self.marginal, self.supporting, self.core])

    def weight(self, grade: Ints) -> Floats:
        weights: Floats = self.by_grade(grade)[np.maximum(grade, 0)]
        return weights

    @property
    def suffix(self) -> str:
        """What a measure's name carries where the weights are not the shipped ones."""
        weights = f"[{self.core:g},{self.supporting:g},{self.marginal:g}]"
        return "" if self == Tiers() else weights
