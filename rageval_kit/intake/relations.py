"""The rules that hold between tables: what is named exists, once, and nothing goes in circles."""

from collections.abc import Iterable, Mapping
from typing import Any

from rageval_kit.intake.flatten import Table
from rageval_kit.intake.report import Collector, lines_shown, nearest, shown


def check_unique(table: Table, key: str, faults: Collector) -> None:
    """Name every row whose id stands more than once, with the lines of all of them."""
    rows: dict[str, list[int]] = {}
    for index, value in enumerate(table.columns[key]):
        if value is not None:
            rows.setdefault(value, []).append(index)
    for value, indexes in rows.items():
        if len(indexes) > 1:
            lines = lines_shown([table.lines[index] for index in indexes])
            rule = f"the id stands {len(indexes)} times (after NFC): {lines}"
            for index in indexes:
                place = table.place(index, key)
                faults.fault(*place, value, rule, "give each its own")


def check_known(
    table: Table, column: str, known: Iterable[str], what: str, where: str, faults: Collector
) -> None:
    """Name every cell that points at something that is not there."""
    ids = known if isinstance(known, (set, frozenset, dict)) else set(known)
    for index, value in enumerate(table.columns[column]):
        if value is not None and value not in ids:
            rule = f"names a {what} that {where} does not have"
            faults.fault(*table.place(index, column), value, rule, f"add the {what}, or mend it")


def check_subjects(entries: Table, known: Mapping[str, frozenset[str]], faults: Collector) -> None:
    """Name every entry whose user, unit or link does not exist."""
    kinds, ids = entries.columns["kind"], entries.columns["id"]
    for index, (kind, value) in enumerate(zip(kinds, ids, strict=True)):
        if value is not None and kind in known and value not in known[kind]:
            rule = f"names a {kind} that the directory does not have"
            faults.fault(*entries.place(index, "id"), value, rule, f"add the {kind}, or mend it")


def check_entry_ids(entries: Table, faults: Collector) -> None:
    """Name every entry id that stands twice in one list."""
    met: dict[tuple[int, str], int] = {}
    for index, value in enumerate(entries.columns["entry_id"]):
        if value is None:
            continue
        first = met.setdefault((entries.parents[index], value), index)
        if first != index:
            rule = "the id stands twice in one list"
            faults.fault(*entries.place(index, "entry_id"), value, rule, "give each its own")


def check_labels(table: Table, column: str, labels: tuple[str, ...], faults: Collector) -> None:
    """Name every label that the policy does not rank."""
    for index, value in enumerate(table.columns[column]):
        if value is not None and value not in labels:
            way_out = (
                nearest(value, labels)
                if labels
                else "list the labels in policy.labels of the snapshot, lowest first"
            )
            faults.fault(*table.place(index, column), value, "is no label of the policy", way_out)


def check_tenant_of(
    table: Table, column: str, tenants: Mapping[str, Any], what: str, faults: Collector
) -> None:
    """Name every row whose folder belongs to another tenant than itself."""
    for index, (value, own) in enumerate(
        zip(table.columns[column], table.columns["tenant"], strict=True)
    ):
        other = tenants.get(value) if value is not None else None
        if other is not None and own is not None and other != own:
            rule = f"the {what} belongs to tenant {shown(other)}, the row to {shown(own)}"
            way_out = f"choose a {what} of the same tenant"
            faults.fault(*table.place(index, column), value, rule, way_out)


def check_cycles(
    edges: Mapping[str, Iterable[str]],
    places: Mapping[tuple[str, str], tuple[str, int, str]],
    what: str,
    faults: Collector,
) -> None:
    """Name each circle as the path that closes it; by a stack, since nesting has no limit."""
    done: set[str] = set()
    for root in edges:
        if root in done:
            continue
        path = [root]
        on_path = {root: 0}
        stack = [iter(edges.get(root, ()))]
        while stack:
            target = next(stack[-1], None)
            if target is None:
                stack.pop()
                node = path.pop()
                del on_path[node]
                done.add(node)
            elif target in on_path:
                circle = [*path[on_path[target] :], target]
                rule = f"{what} go in a circle: {' > '.join(shown(item) for item in circle)}"
                place = places[path[-1], target]
                faults.fault(*place, target, rule, "take one of these edges out")
            elif target not in done:
                on_path[target] = len(path)
                path.append(target)
                stack.append(iter(edges.get(target, ())))


def check_unit_cycles(memberships: Table, faults: Collector) -> None:
    edges: dict[str, list[str]] = {}
    places: dict[tuple[str, str], tuple[str, int, str]] = {}
    columns = memberships.columns
    for index, (unit, member, kind) in enumerate(
        zip(columns["unit"], columns["member"], columns["member_kind"], strict=True)
    ):
        if kind == "unit" and unit is not None and member is not None:
            edges.setdefault(member, []).append(unit)
            places.setdefault((member, unit), memberships.place(index, "unit"))
    check_cycles(edges, places, "units", faults)


def check_folder_cycles(folders: Table, faults: Collector) -> None:
    edges: dict[str, list[str]] = {}
    places: dict[tuple[str, str], tuple[str, int, str]] = {}
    pairs = zip(folders.columns["folder_id"], folders.columns["parent"], strict=True)
    for index, (folder, parent) in enumerate(pairs):
        if folder is not None and parent is not None:
            edges.setdefault(folder, []).append(parent)
            places.setdefault((folder, parent), folders.place(index, "parent"))
    check_cycles(edges, places, "folders", faults)


def check_members(
    memberships: Table, principals: frozenset[str], units: frozenset[str], faults: Collector
) -> None:
    """Name every member that is neither a principal nor, where it says unit, a unit."""
    columns = memberships.columns
    for index, (member, kind) in enumerate(
        zip(columns["member"], columns["member_kind"], strict=True)
    ):
        known, what = (units, "unit") if kind == "unit" else (principals, "principal")
        if member is not None and member not in known:
            rule = f"names a {what} that the directory does not have"
            hint = ""
            if kind != "unit" and member in units:
                hint = "; it is a unit: write member_kind: unit"
            way_out = f"add the {what}, or mend it{hint}"
            faults.fault(*memberships.place(index, "member"), member, rule, way_out)


def check_histories(table: Table, faults: Collector) -> None:
    """Name every entry of a history that is not later than the one before it."""
    instants = table.columns["at"]
    for index in range(1, len(table)):
        before, at = instants[index - 1], instants[index]
        same = table.parents[index] == table.parents[index - 1]
        if same and before is not None and at is not None and at <= before:
            rule = f"is not later than the entry before it ({before})"
            faults.fault(*table.place(index, "at"), at, rule, "put the history in order")
