"""What validation found: every bad row with its file, line, column, value and rule."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from rageval_kit.records.faults import Fault, InputError

_SHOWN = 80
_LISTED = 10


@dataclass(frozen=True, slots=True)
class RowFault:
    """One broken rule. `row` is the line of the file (1-based; a row of Parquet; 0: the file)."""

    file: str
    row: int
    column: str
    value: str
    rule: str
    way_out: str = ""

    @property
    def fault(self) -> Fault:
        place = f"{self.file}:{self.row}" if self.row else self.file
        where = f"{place}: {self.column}" if self.column else place
        return Fault(where, self.rule, self.value, self.way_out)


@dataclass(frozen=True, slots=True)
class Report:
    """`rows_checked` counts per table; `unchecked` names the rules that had nothing to look at.

    `dropped` lists (file, line) of rows left out on request; their faults are in `forgiven`.
    """

    rows_checked: Mapping[str, int]
    faults: tuple[RowFault, ...] = ()
    warnings: tuple[RowFault, ...] = ()
    unchecked: tuple[str, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()
    forgiven: tuple[RowFault, ...] = ()
    kept: int = 0

    @property
    def ok(self) -> bool:
        return not self.faults

    def joined(self, other: "Report") -> "Report":
        """Give both as one; `kept` counts the records of both."""
        return Report(
            rows_checked={**self.rows_checked, **other.rows_checked},
            faults=self.faults + other.faults,
            warnings=self.warnings + other.warnings,
            unchecked=self.unchecked + other.unchecked,
            dropped=self.dropped + other.dropped,
            forgiven=self.forgiven + other.forgiven,
            kept=self.kept + other.kept,
        )

    def refuse_faults(self) -> None:
        """Raise InputError with every fault, if there is any."""
        if self.faults:
            raise InputError(row_fault.fault for row_fault in self.faults)


@dataclass(slots=True)
class Collector:
    """Gathers faults and warnings while the rules run; one fault per place and rule."""

    faults: dict[tuple[str, int, str, str], RowFault] = field(default_factory=dict)
    warnings: dict[tuple[str, int, str, str], RowFault] = field(default_factory=dict)
    places: set[tuple[str, int, str]] = field(default_factory=set)

    def fault(
        self, file: str, row: int, column: str, value: Any, rule: str, way_out: str = ""
    ) -> None:
        self.places.add((file, row, column))
        found = RowFault(file, row, column, shown(value), rule, way_out)
        self.faults.setdefault((file, row, column, rule), found)

    def warn(
        self, file: str, row: int, column: str, value: Any, rule: str, way_out: str = ""
    ) -> None:
        found = RowFault(file, row, column, shown(value), rule, way_out)
        self.warnings.setdefault((file, row, column, rule), found)

    def ordered(self) -> tuple[RowFault, ...]:
        return tuple(sorted(self.faults.values(), key=lambda f: (f.file, f.row, f.column, f.rule)))


def shown(value: Any) -> str:
    """Show a value from a stranger's file: shortened, with what cannot be seen as code points."""
    if value is None:
        return ""
    text = repr(value) if isinstance(value, str) else str(value)
    if len(text) > _SHOWN:
        text = f"{text[:_SHOWN]}… ({len(text)} characters)"
    return "".join(
        char if unicodedata.category(char)[0] != "C" else f"\\u{ord(char):04x}" for char in text
    )


def nearest(word: str, known: Iterable[str]) -> str:
    """Name the known spelling closest to a wrong one, or all of them where none is close."""
    words: Sequence[str] = list(known)
    close = get_close_matches(word[:64].casefold(), words, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"write one of {', '.join(words)}"


def lines_shown(lines: Sequence[int]) -> str:
    """List the lines of a repetition; past ten only their number, since each has its own fault."""
    listed = ", ".join(f"line {line}" for line in lines[:_LISTED])
    more = len(lines) - _LISTED
    return f"{listed} and {more} more" if more > 0 else listed
