"""What can be wrong with input or with the kit, said so that a person can act on it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where it stands, what was met, and the way out."""

    where: str
    problem: str
    met: str = ""
    way_out: str = ""

    def __str__(self) -> str:
        met = f" (met {self.met})" if self.met else ""
        way_out = f"; {self.way_out}" if self.way_out else ""
        return f"{self.where}: {self.problem}{met}{way_out}"


class KitError(Exception):
    """The kit or the target could not do its work; the command ends with `exit_code`."""

    exit_code = 5


class InputError(KitError):
    """Input or configuration is refused: every fault at once, nothing run, nothing written."""

    exit_code = 2

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(str(fault) for fault in self.faults))

    @classmethod
    def one(cls, where: str, problem: str, met: str = "", way_out: str = "") -> "InputError":
        return cls([Fault(where, problem, met, way_out)])

    @classmethod
    def lacking(cls, where: str, extra: str) -> "InputError":
        """What was asked for needs a package that comes with an extra of the kit."""
        way_out = f"pip install 'rageval-kit[{extra}]'"
        return cls.one(where, "needs a package that is not there", "", way_out)


class TargetError(KitError):
    """The system under test could not be reached or prepared at all."""
