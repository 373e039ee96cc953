"""Which of the rules between tables can be put to the tables that are there."""

from collections.abc import Mapping

from rageval_kit.intake import relations
from rageval_kit.intake.editions import check_editions
from rageval_kit.intake.flatten import Table
from rageval_kit.intake.report import Collector
from rageval_kit.records.world import AccessPolicy


def _ids(tables: Mapping[str, Table], spec_name: str, key: str) -> frozenset[str]:
    table = tables.get(spec_name)
    return frozenset(value for value in table.columns[key] if value) if table else frozenset()


def check_relations(
    tables: Mapping[str, Table], policy: AccessPolicy | None, faults: Collector
) -> list[str]:
    """Run every rule that has its tables; what comes back names the rules that had not."""
    unchecked: list[str] = []
    has_people = "principals" in tables
    has_content = "documents" in tables
    principals = _ids(tables, "principals", "principal_id")
    units = _ids(tables, "units", "unit_id")
    links = _ids(tables, "links", "link_id")
    if has_content:
        _check_content(tables, faults)
        for name in ("entries", "folder entries"):
            if has_people:
                known = {"user": principals, "unit": units, "link": links}
                relations.check_subjects(tables[name], known, faults)
        if not has_people:
            unchecked.append("tenants, owners and subjects of entries: no directory was given")
    if has_people:
        _check_people(tables, principals, units, faults)
    if policy is None:
        unchecked.append("labels and clearances: no readable snapshot.json was given")
        return unchecked
    for name, column in (
        ("documents", "label"),
        ("folders", "label"),
        ("chunks", "label"),
        ("principals", "clearance"),
    ):
        if name in tables:
            relations.check_labels(tables[name], column, policy.labels, faults)
    return unchecked


def _check_content(tables: Mapping[str, Table], faults: Collector) -> None:
    documents, folders = tables["documents"], tables["folders"]
    columns = folders.columns
    tenants = dict(zip(columns["folder_id"], columns["tenant"], strict=True))
    relations.check_known(documents, "folder", tenants, "folder", "the snapshot", faults)
    relations.check_known(folders, "parent", tenants, "folder", "the snapshot", faults)
    relations.check_tenant_of(documents, "folder", tenants, "folder", faults)
    relations.check_tenant_of(folders, "parent", tenants, "folder", faults)
    relations.check_folder_cycles(folders, faults)
    relations.check_entry_ids(tables["entries"], faults)
    relations.check_entry_ids(tables["folder entries"], faults)
    relations.check_histories(tables["states"], faults)
    check_editions(documents, tables["versions"], tables["states"], faults)


def _check_people(
    tables: Mapping[str, Table],
    principals: frozenset[str],
    units: frozenset[str],
    faults: Collector,
) -> None:
    tenants = _ids(tables, "tenants", "tenant_id")
    where = "the directory"
    for name in ("documents", "folders", "principals", "units", "guests"):
        if name in tables:
            relations.check_known(tables[name], "tenant", tenants, "tenant", where, faults)
    if "documents" in tables:
        relations.check_known(tables["documents"], "owner", principals, "principal", where, faults)
    relations.check_known(tables["memberships"], "unit", units, "unit", where, faults)
    relations.check_members(tables["memberships"], principals, units, faults)
    relations.check_known(tables["guests"], "principal", principals, "principal", where, faults)
    relations.check_known(tables["opened"], "principal", principals, "principal", where, faults)
    relations.check_unit_cycles(tables["memberships"], faults)
    relations.check_histories(tables["statuses"], faults)
