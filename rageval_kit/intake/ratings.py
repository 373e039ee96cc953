"""Which label did each rater give to each item, according to a table of theirs?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rageval_kit.intake.cells import CellError, read_id
from rageval_kit.intake.files import Row, read_csv, read_jsonl, read_text
from rageval_kit.intake.report import Collector, RowFault, lines_shown, nearest, shown
from rageval_kit.records.faults import InputError
from rageval_kit.stats.agreement.ratings import MISSING, MOST_CATEGORIES, Ratings, numbers, scale
from rageval_kit.text.normalise import fold, nfc

# Accepted names of the columns, whatever their case.
ROLES: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "id", "条目"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "标注者"),
    "label": ("label", "rating", "grade", "标签"),
}
_NULLS = frozenset({"null", "none", "nan", "na", "n/a", "-", "missing", "空", "无"})
_TWO = 2


@dataclass(frozen=True, slots=True)
class RatingsTable:
    """`ratings` with the names of its rows and columns, and what is odd but can be counted."""

    ratings: Ratings
    items: tuple[str, ...]
    raters: tuple[str, ...]
    warnings: tuple[RowFault, ...]


@dataclass(frozen=True, slots=True)
class _Form:
    """The columns of item, rater and label; of the item alone, where the others are raters."""

    item: str
    rater: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class _Cell:
    line: int
    item: str
    rater: str
    label: str | None


def read_ratings(
    path: Path, categories: Sequence[str] | None = None, blank: Iterable[str] = ()
) -> RatingsTable:
    """Read long form (item, rater, label) or wide form (item, one column per rater).

    `categories` is the scale from one end to the other; without it the labels met are taken, and
    numbers order themselves. An empty cell, null or a label in `blank` is a rating not given.
    """
    faults = Collector()
    scale_given = None if categories is None else [nfc(one) for one in categories]
    cells = _cells(path, faults, frozenset(map(nfc, blank)))
    items = _places(cell.item for cell in cells)
    raters = _places(cell.rater for cell in cells)
    _check_labels(cells, scale_given, str(path), faults)
    if cells and len(raters) < _TWO and not faults.faults:
        rule, met = "has one rater only, so nobody agrees or disagrees", next(iter(raters))
        faults.fault(str(path), 0, "", met, rule, "add the ratings of another")
    if faults.faults:
        raise InputError(one.fault for one in faults.ordered())
    known, ordered = _scale(cells, scale_given)
    place = {label: i for i, label in enumerate(known)}
    codes = np.full((len(items), len(raters)), MISSING, dtype=np.int64)
    for cell in cells:
        if cell.label is not None:
            codes[items[cell.item], raters[cell.rater]] = place[cell.label]
    _warn(codes, known, tuple(raters), str(path), faults)
    if scale_given is None:
        _warn_of_steps(known, str(path), faults)
    _warn_of_spaces(items, str(path), faults)
    ratings = Ratings(codes, known, ordered)
    return RatingsTable(ratings, tuple(items), tuple(raters), tuple(faults.warnings.values()))


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: i for i, name in enumerate(dict.fromkeys(names))}


def _scale(cells: list[_Cell], given: list[str] | None) -> tuple[tuple[str, ...], bool]:
    if given is not None:
        return tuple(given), True
    return scale(cell.label for cell in cells if cell.label is not None)


def _read_tsv(path: Path, faults: Collector) -> list[Row]:
    """Cells are divided by tabs and nothing else: a quotation mark is part of the text."""
    text = read_text(path, faults)
    lines = [line.removesuffix("\r") for line in (text or "").split("\n")]
    head, file = lines[0].split("\t"), str(path)
    if doubled := sorted({name for name in head if head.count(name) > 1}):
        rule = "the head line names a column twice"
        faults.fault(file, 1, "", doubled, rule, "name each column once")
        return []
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if line and len(cells) != len(head):
            rule = f"has {len(cells)} cells where the head line has {len(head)}"
            faults.fault(file, number, "", None, rule, "divide cells by one tab each")
        elif line:
            rows.append(Row(file, number, dict(zip(head, cells, strict=True))))
    return rows


_READERS: Mapping[str, Callable[[Path, Collector], list[Row]]] = {
    ".csv": read_csv,
    ".tsv": _read_tsv,
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
}


def _cells(path: Path, faults: Collector, blank: frozenset[str]) -> list[_Cell]:
    file, reader = str(path), _READERS.get(path.suffix.lower())
    if reader is None:
        rule = f"has the ending {path.suffix!r}, which no reader of ratings knows"
        faults.fault(file, 0, "", None, rule, f"use one of {', '.join(sorted(_READERS))}")
        return []
    rows = reader(path, faults)
    for row in rows:
        if not isinstance(row.data, Mapping):
            faults.fault(file, row.line, "", row.data, "is not an object", "write one per line")
    rows = [row for row in rows if isinstance(row.data, Mapping)]
    if not rows:
        if not faults.faults:
            faults.fault(file, 0, "", None, "holds no rating", "add rows below the head line")
        return []
    columns = list(dict.fromkeys(key for row in rows for key in row.data))
    form = _form(columns, file, faults)
    if form is None:
        return []
    reading = _Reader(file, faults, blank, form)
    return list(reading.long(rows) if form.label else reading.wide(rows, columns))


def _form(columns: list[str], file: str, faults: Collector) -> _Form | None:
    found = {
        role: [one for one in columns if one.strip().casefold() in names]
        for role, names in ROLES.items()
    }
    met = ", ".join(columns)
    way_out = "give item, rater, label, or item and one column per rater"
    doubled = [role for role, names in found.items() if len(names) > 1]
    for role in doubled:
        rule = f"names more than one column that may be the {role}"
        faults.fault(file, 1, "", ", ".join(found[role]), rule, "keep one of them")
    if doubled:
        return None
    if not found["item"]:
        faults.fault(file, 1, "", met, "has no column of items", way_out)
    elif len(found["rater"]) != len(found["label"]):
        has, lacks = ("rater", "label") if found["rater"] else ("label", "rater")
        rule = f"has a column of {has}s but none of {lacks}s, so its form is not clear"
        faults.fault(file, 1, "", met, rule, way_out)
    elif not all(one.strip() for one in columns):
        faults.fault(file, 1, "", met, "has a column without a name", "name it, or remove it")
    elif len({nfc(one.strip()) for one in columns}) < len(columns):
        rule, way_out = "has columns that differ only in spaces", "name each column once"
        faults.fault(file, 1, "", met, rule, way_out)
    elif found["rater"]:
        for one in columns:
            if not any(one in names for names in found.values()):
                faults.warn(file, 1, one, None, "is not read: it is neither item, rater nor label")
        return _Form(found["item"][0], found["rater"][0], found["label"][0])
    elif len(columns) <= _TWO:
        faults.fault(file, 1, "", met, "has one rater at most", way_out)
    else:
        return _Form(found["item"][0])
    return None


@dataclass(frozen=True, slots=True)
class _Reader:
    file: str
    faults: Collector
    blank: frozenset[str]
    form: _Form

    def long(self, rows: list[Row]) -> Iterator[_Cell]:
        first: dict[tuple[str, str], int] = {}
        for row in rows:
            who, what = self._id(row, self.form.rater), self._id(row, self.form.item)
            given = self._label(row, self.form.label)
            line = first.setdefault((what, who), row.line)
            if who and what and line == row.line:
                yield _Cell(row.line, what, who, given)
            elif who and what:
                rule = f"rater {shown(who)} has rated the item on line {line} already"
                self.faults.fault(self.file, row.line, "", what, rule, "keep one of the two")

    def wide(self, rows: list[Row], columns: list[str]) -> Iterator[_Cell]:
        raters = [(one, nfc(one.strip())) for one in columns if one != self.form.item]
        first: dict[str, int] = {}
        for row in rows:
            what = self._id(row, self.form.item)
            given = [(rater, self._label(row, column)) for column, rater in raters]
            line = first.setdefault(what, row.line)
            if what and line == row.line:
                yield from (_Cell(row.line, what, rater, label) for rater, label in given)
            elif what:
                rule, way_out = f"the item stands on line {line} already", "keep one of the two"
                self.faults.fault(self.file, row.line, "", what, rule, way_out)

    def _id(self, row: Row, column: str) -> str:
        value = row.data.get(column)
        try:
            name = "" if value is None else read_id(value)
        except CellError as error:
            self.faults.fault(self.file, row.line, column, value, error.rule, error.way_out)
            return ""
        if not name.strip():
            self.faults.fault(self.file, row.line, column, value, "is empty", "name it")
            return ""
        return name

    def _label(self, row: Row, column: str) -> str | None:
        value = row.data.get(column)
        if isinstance(value, list | dict):
            rule, way_out = "is no label", "write one text or number"
            self.faults.fault(self.file, row.line, column, value, rule, way_out)
            return None
        label = _text(value)
        return None if not label.strip() or label in self.blank else label


def _text(value: Any) -> str:
    """1 and 1.0 of JSON are one number, true is not 1."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return nfc(str(value))


def _check_labels(
    cells: list[_Cell], categories: list[str] | None, file: str, faults: Collector
) -> None:
    lines: dict[str, list[int]] = {}
    for cell in cells:
        if cell.label is not None:
            lines.setdefault(cell.label, []).append(cell.line)
    if categories is not None:
        for label in [label for label in lines if label not in categories]:
            rule = f"is none of the categories: {lines_shown(lines[label])}"
            faults.fault(file, lines[label][0], "", label, rule, nearest(label, categories))
        return
    if cells and not lines:
        faults.fault(file, 0, "", None, "holds no rating: every cell is empty", "fill it in")
    if len(lines) > MOST_CATEGORIES:
        rule, way_out = f"has {len(lines):,} different labels", "round or group them"
        faults.fault(file, 0, "", None, rule, way_out)
    values: dict[float, list[str]] = {}
    for label, value in zip(lines, numbers(list(lines)) or (), strict=False):
        values.setdefault(value, []).append(label)
    for same in [labels for labels in values.values() if len(labels) > 1]:
        rule, line = "is one number written in different ways", min(lines[same[1]])
        faults.fault(file, line, "", ", ".join(same), rule, "write it one way")


def _warn(
    codes: np.ndarray[Any, np.dtype[np.int64]],
    labels: tuple[str, ...],
    raters: tuple[str, ...],
    file: str,
    faults: Collector,
) -> None:
    for what, names in (("labels", labels), ("raters", raters)):
        alike: dict[str, list[str]] = {}
        for name in names:
            alike.setdefault("".join(fold(name).split()), []).append(name)
        for same in [names for names in alike.values() if len(names) > 1]:
            rule = f"{what} differ only in case, width or spaces, and count as different"
            faults.warn(file, 0, "", same, rule, "write them one way")
    for label in labels:
        if label.strip().casefold() in _NULLS:
            rule = "counts as a label like any other"
            faults.warn(file, 0, "", label, rule, "if it means that nobody rated, say --blank")
    used = [set(codes[:, j].tolist()) - {MISSING} for j in range(len(raters))]
    for j, rater in enumerate(raters):
        others: set[int] = set().union(*used[:j], *used[j + 1 :])
        if not used[j]:
            faults.warn(file, 0, "", rater, "rated nothing")
        elif not used[j] & others:
            faults.warn(file, 0, "", rater, "shares no label with any other: is that a rater?")


def _warn_of_steps(labels: tuple[str, ...], file: str, faults: Collector) -> None:
    steps = np.diff(numbers(labels) or ())
    if steps.size and not np.allclose(steps, steps[0]):
        rule = "the numbers met have unequal steps; weighted kappa counts places"
        faults.warn(file, 0, "", ", ".join(labels), rule, "say the whole scale with --categories")


def _warn_of_spaces(items: Iterable[str], file: str, faults: Collector) -> None:
    known = dict.fromkeys(items)
    for item in known:
        if item != item.strip() and item.strip() in known:
            rule = "items differ only in spaces around them, and count as different"
            faults.warn(file, 0, "", item, rule, "write them one way")
