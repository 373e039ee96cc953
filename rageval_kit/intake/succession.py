"""When does a version end that says nothing of its end, but that another says it supersedes?"""

from collections.abc import Iterable, Mapping
from typing import Any

from rageval_kit.corpus.times import format_instant
from rageval_kit.intake.flatten import Table
from rageval_kit.intake.relations import check_cycles
from rageval_kit.intake.report import Collector, shown
from rageval_kit.records.world import State


def end_superseded(
    versions: Table, documents: Iterable[Mapping[str, Any]], faults: Collector
) -> None:
    """End each version named under `supersedes` where its successor begins, if it has no end.

    A version has one successor at most, of its own or of another document; it may succeed several.
    One that was never published succeeds nothing: a draft may never come into force.
    `documents` hold the same versions as they will be read: what is computed stands there and in
    the table alike, and `supersedes`, having been answered, in `documents` no more.
    """
    ids, named = versions.columns["version_id"], versions.columns["supersedes"]
    lines = [line for document in documents for line in document.get("versions", ()) if line]
    index_of = {name: n for n, name in enumerate(ids) if name is not None}
    successors: dict[int, int] = {}
    edges: dict[str, list[str]] = {}
    places: dict[tuple[str, str], tuple[str, int, str]] = {}
    for index, names in enumerate(named):
        place = versions.place(index, "supersedes")
        for name in names or ():
            target = index_of.get(name)
            if target is None:
                rule = "names a version that the snapshot does not have"
                faults.fault(*place, name, rule, "add the version, or mend it")
                continue
            edges.setdefault(ids[index], []).append(name)
            places[ids[index], name] = place
            if not was_published(lines[index]):
                rule = f"was never published, so {shown(name)} does not end where it begins"
                faults.warn(*place, name, rule, "write valid_to where it did end")
            elif target in successors:
                other = successors[target]
                first = f"{shown(ids[other])} (line {versions.lines[other]})"
                rule = f"{shown(name)} is superseded twice, here and by {first}"
                faults.fault(*place, name, rule, "let one version succeed it")
            else:
                successors[target] = index
    check_cycles(edges, places, "versions", faults)
    for old, new in successors.items():
        _end(versions, lines, old, new, faults)
    for line in lines:
        line.pop("supersedes", None)


def was_published(line: Mapping[str, Any]) -> bool:
    """Whether the version ever was, or is to be, what readers are given."""
    return any(entry.get("state") == State.PUBLISHED for entry in line.get("states", ()))


def _end(
    versions: Table, lines: list[dict[str, Any]], old: int, new: int, faults: Collector
) -> None:
    columns = versions.columns
    begins, began = columns["valid_from"][new], columns["valid_from"][old]
    if columns["valid_to"][old] is not None:
        return
    place = versions.place(new, "supersedes")
    name = columns["version_id"][old]
    if begins is None:
        rule = f"does not say from when {shown(name)} is superseded, so that one has no end"
        faults.warn(*place, name, rule, "write valid_from")
    elif began is not None and begins <= began:
        if place not in faults.places:  # a circle was named already
            rule = f"supersedes {shown(name)}, which begins no earlier ({began})"
            faults.fault(*place, begins, rule, "mend one of the two dates")
    else:
        columns["valid_to"][old] = begins
        lines[old]["valid_to"] = format_instant(begins)
