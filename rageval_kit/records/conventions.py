"""By which conventions is a ranking judged, where practice differs?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal

from rageval_kit.records.faults import Fault, InputError

Ties = Literal["score_then_id", "keep_rank"]
Unjudged = Literal["nonrelevant", "condensed", "lowest", "highest"]
NoRelevant = Literal["unmeasured", "zero"]
Grain = Literal["document", "passage", "claim"]


@dataclass(frozen=True, slots=True)
class Conventions:
    """Part of the identity of every value: values under different conventions are not compared.

    `ties`: score descending in 64-bit, then id descending by its bytes (trec_eval's rule), or the
    rank that the file states. `unjudged`: a result nobody judged counts as not relevant, is taken
    out of the list first, or is graded so that the measure comes out lowest or highest.
    `no_relevant`: a query without a relevant document has no value, or 0 as in trec_eval.
    `grain`: what the judgments name; `rolled_up_from`: what the results named before roll-up.
    """

    ties: Ties = "score_then_id"
    unjudged: Unjudged = "nonrelevant"
    no_relevant: NoRelevant = "unmeasured"
    grain: Grain = "document"
    rolled_up_from: Literal["none", "passage", "version"] = "none"

    def __post_init__(self) -> None:
        faults = [
            Fault(f"conventions.{name}", "is not known here", repr(met), f"one of {known}")
            for name, met, known in (
                ("ties", self.ties, ("score_then_id", "keep_rank")),
                ("unjudged", self.unjudged, ("nonrelevant", "condensed", "lowest", "highest")),
                ("no_relevant", self.no_relevant, ("unmeasured", "zero")),
                ("grain", self.grain, ("document", "passage", "claim")),
                ("rolled_up_from", self.rolled_up_from, ("none", "passage", "version")),
            )
            if met not in known
        ]
        if faults:
            raise InputError(faults)

    @property
    def suffix(self) -> str:
        """What a measure's name carries where the default is departed from: `|unjudged=…`."""
        default = Conventions()
        return "".join(
            f"|{one.name}={getattr(self, one.name)}"
            for one in fields(self)
            if getattr(self, one.name) != getattr(default, one.name)
        )

    @property
    def text(self) -> str:
        """Every convention, in one fixed form: the part of a value's identity that they make."""
        return " ".join(f"{one.name}={getattr(self, one.name)}" for one in fields(self))


def read_name(name: str) -> tuple[str, Mapping[str, str]]:
    """The measure that a name begins with, and the conventions that its suffix names."""
    measure, *said = name.split("|")
    return measure, dict(part.split("=", 1) for part in said if "=" in part)
