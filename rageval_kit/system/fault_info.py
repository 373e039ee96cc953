"""What is said of a seeded fault: its name, the families that must notice it, its title?"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class FaultInfo:
    """`families`: any of them being violated kills the fault (CTL-01: through the twins).

    `switch` is what the system asks for. `in_model`: it is the model's own doing, so that there is
    nothing of it behind a model that refuses. `is_lag`: it is over before any usual service level
    ends, so that it is a breach for those alone whose levels are 0 s.
    """

    switch: StrEnum
    families: tuple[str, ...]
    title: Mapping[str, str]
    in_model: bool = False
    is_lag: bool = False

    @property
    def name(self) -> str:
        return self.switch.value


def told(
    fault: StrEnum,
    family: str,
    en: str,
    zh: str,
    *,
    in_model: bool = False,
    is_lag: bool = False,
) -> FaultInfo:
    """`family`: one, or several joined by +, any of which may notice it."""
    families = tuple(family.split("+"))
    return FaultInfo(fault, families, MappingProxyType({"en": en, "zh": zh}), in_model, is_lag)
