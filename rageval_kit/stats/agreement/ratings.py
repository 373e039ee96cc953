"""Who gave which label to which item?"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Ints

MISSING = -1
MOST_CATEGORIES = 1_000
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ratings:
    """`codes[i, j]` is the place in `categories` of rater `j`'s label for item `i`, or MISSING.

    `ordered`: the categories stand from one end of a scale to the other. A category that nobody
    used counts as one that could have been used.
    """

    codes: Ints
    categories: tuple[str, ...]
    ordered: bool = False

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes)
        if faults := [*_code_faults(codes, len(self.categories)), *_label_faults(self.categories)]:
            raise InputError(faults)
        object.__setattr__(self, "codes", codes.astype(np.int64))

    @classmethod
    def of_labels(
        cls, rows: Iterable[Sequence[object]], categories: Sequence[object] | None = None
    ) -> "Ratings":
        """One row per item, one label per rater, None where there is none.

        `categories` is the scale from one end to the other. Without it the labels met are the
        categories: numbers in their order, anything else without an order.
        """
        given = [[None if label is None else str(label) for label in row] for row in rows]
        if categories is None:
            met, ordered = scale(label for row in given for label in row if label is not None)
        else:
            met, ordered = tuple(str(label) for label in categories), True
        place: dict[str | None, int] = {label: i for i, label in enumerate(met)}
        place[None] = MISSING
        faults = [
            Fault(f"item {i}, rater {j}", "the label is none of the categories", repr(label))
            for i, row in enumerate(given)
            for j, label in enumerate(row)
            if label not in place
        ]
        if len({len(row) for row in given}) > 1:
            problem, way_out = "items have rows of different length", "give None for no rating"
            faults.append(Fault("ratings", problem, "", way_out))
        if faults:
            raise InputError(faults)
        codes = np.array([[place[label] for label in row] for row in given], dtype=np.int64)
        return cls(codes.reshape(len(given), -1), met, ordered)

    @property
    def n_items(self) -> int:
        return int(self.codes.shape[0])

    @property
    def n_raters(self) -> int:
        return int(self.codes.shape[1])

    def pair(self, first: int, second: int) -> "Ratings":
        """The ratings of two of the raters."""
        return Ratings(self.codes[:, [first, second]], self.categories, self.ordered)


def scale(labels: Iterable[str]) -> tuple[tuple[str, ...], bool]:
    """The distinct labels, and whether they have an order of their own, as numbers have."""
    met = sorted(set(labels))
    values = numbers(met)
    if values is None:
        return tuple(met), False
    return tuple(label for _, label in sorted(zip(values, met, strict=True))), bool(met)


def numbers(labels: Sequence[str]) -> tuple[float, ...] | None:
    """The labels as numbers, if every one of them is a finite one."""
    if not all(_NUMBER.fullmatch(label.strip()) for label in labels):
        return None
    values = tuple(float(label) for label in labels)
    return values if all(map(math.isfinite, values)) else None


def _code_faults(codes: NDArray[np.int64], n_categories: int) -> list[Fault]:
    if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.integer):  # noqa: PLR2004 - items, raters
        problem, met = "is not a table of whole numbers", f"{codes.dtype}, shape {codes.shape}"
        return [Fault("codes", problem, met, "give shape (items, raters)")]
    wrong = codes[(codes < MISSING) | (codes >= n_categories)]
    if wrong.size:
        way_out = f"0 to {n_categories - 1}, or {MISSING} for no rating"
        return [Fault("codes", "is the place of no category", str(wrong[0]), way_out)]
    return []


def _label_faults(categories: tuple[str, ...]) -> list[Fault]:
    if len(categories) > MOST_CATEGORIES:
        problem, met = "are too many to agree on", f"{len(categories):,} labels"
        return [Fault("categories", problem, met, "round or group the labels")]
    if len(set(categories)) < len(categories):
        return [Fault("categories", "name one twice", ", ".join(categories))]
    values = numbers(categories) or ()
    same = [categories[i] for i, value in enumerate(values) if values.count(value) > 1]
    if same:
        problem = "write one number in different ways"
        return [Fault("categories", problem, ", ".join(same), "write it one way")]
    return []
