"""What is said of a seeded fault: its name, the families that must notice it, its title?"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class FaultInfo:
    """`families`: any of them being violated kills the fault (CTL-01: through the twins)."""

    name: str
    families: tuple[str, ...]
    title: Mapping[str, str]


def told(fault: StrEnum, family: str, en: str, zh: str) -> FaultInfo:
    return FaultInfo(fault.value, (family,), MappingProxyType({"en": en, "zh": zh}))
