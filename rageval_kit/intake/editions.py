"""The rule that at any instant, as known at any instant, a document has one version at most."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from rageval_kit.intake.flatten import Table
from rageval_kit.intake.report import Collector, shown

_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
# A hole shorter than this is a slip at a boundary (23:59:59, or a date counted twice).
_SLIP = timedelta(days=1)


def check_editions(documents: Table, versions: Table, states: Table, faults: Collector) -> None:
    """Refuse versions that overlap in valid and recorded time, and holes of less than a day.

    A version that was never published may overlap: a draft waits beside what is in force. A
    longer hole is a warning, since a rule may lapse and return; one that a withdrawal or deletion
    made is meant.
    """
    published: set[int] = set()
    taken_back: dict[int, datetime] = {}
    for parent, state, at in zip(
        states.parents, states.columns["state"], states.columns["at"], strict=True
    ):
        if state not in ("draft", "quarantined"):
            published.add(parent)
        if state in ("withdrawn", "deleted") and at is not None:
            taken_back[parent] = at
    of_document: dict[int, list[int]] = {}
    for index, parent in enumerate(versions.parents):
        start = versions.columns["valid_from"][index]
        if start is None:
            if (*versions.place(index, "valid_from"),) not in faults.places:
                rule = "has no valid_from, so it is valid at no time"
                faults.warn(*versions.place(index, "valid_from"), None, rule, "write the date")
        elif index in published:
            of_document.setdefault(parent, []).append(index)
    for parent, indexes in of_document.items():
        if len(indexes) > 1:
            name = documents.columns["document_id"][parent]
            _check(name, versions, indexes, taken_back, faults)


def _check(
    document_id: str,
    versions: Table,
    indexes: list[int],
    taken_back: Mapping[int, datetime],
    faults: Collector,
) -> None:
    columns = versions.columns
    starts, ends = columns["valid_from"], columns["valid_to"]
    ordered = sorted(indexes, key=lambda index: (starts[index], ends[index] or _LAST))
    # Editions still open in valid time when the next begins; in sound files there is none, so
    # that the sweep is linear.
    open_ones: list[int] = []
    reached: datetime | None = None
    last = ordered[0]
    for index in ordered:
        start = starts[index]
        open_ones = [other for other in open_ones if (ends[other] or _LAST) > start]
        for other in open_ones:
            if _recorded_together(versions, other, index):
                rule = (
                    f"document {shown(document_id)}: versions {_name(versions, other)} and "
                    f"{_name(versions, index)} are both valid from {start}"
                )
                way_out = "end the older where the newer begins"
                faults.fault(*versions.place(index, "valid_from"), start, rule, way_out)
                break  # one partner shows the fault; all of them could be very many
        if (
            reached is not None
            and start > reached
            and taken_back.get(last, _LAST) > reached
            and _recorded_together(versions, last, index)
        ):
            rule = (
                f"document {shown(document_id)}: between versions {_name(versions, last)} and "
                f"{_name(versions, index)} none is valid, from {reached} to {start}"
            )
            report = faults.fault if start - reached < _SLIP else faults.warn
            way_out = "let the newer begin where the older ends"
            report(*versions.place(index, "valid_from"), start, rule, way_out)
        end = ends[index] or _LAST
        if reached is None or end > reached:
            reached, last = end, index
        open_ones.append(index)


def _recorded_together(versions: Table, one: int, other: int) -> bool:
    starts, ends = versions.columns["recorded_from"], versions.columns["recorded_to"]
    return bool(
        (starts[one] or _FIRST) < (ends[other] or _LAST)
        and (starts[other] or _FIRST) < (ends[one] or _LAST)
    )


def _name(versions: Table, index: int) -> str:
    return f"{shown(versions.columns['version_id'][index])} (line {versions.lines[index]})"
