"""The permission suite on public data: it passes where it should, and fails where it must."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rageval_kit.cli.progress import Quiet
from rageval_kit.intake.validate import validate
from rageval_kit.records.decisions import RunOutcome, RunRecord
from rageval_kit.records.target import Request
from rageval_kit.records.world import Version
from rageval_kit.run.evaluate import evaluate

_SPEC = importlib.util.spec_from_file_location(
    "real_suite_runs", Path(__file__).with_name("suite_runs.py")
)
assert _SPEC
assert _SPEC.loader
suite_runs = importlib.util.module_from_spec(_SPEC)
sys.modules["real_suite_runs"] = suite_runs
_SPEC.loader.exec_module(suite_runs)

pytestmark = pytest.mark.real

SMALL = "suites.acl_negative.size.cases=8"
EVERY = [f"C{number}" for number in range(1, 15)]
# Worlds of one tenant without labels: nothing to mark, to compare by level, or to link to.
ONE_TENANT_NO_LABELS = {
    "ACL-04", "ACL-12", "ACL-13", "ACL-17", "ACL-22", "CIT-03", "CIT-08", "PRN-05", "SID-05",
    "SID-18",
}  # fmt: skip
NO_DRIVE_GROUPS = {"ACL-02", "ACL-05", "ACL-06", "ACL-10", "PRN-02", "CIT-02"}
Shown = list[tuple[Request, str]]


@pytest.fixture(scope="session")
def files(shared_data, tmp_path_factory) -> Callable[[str], object]:
    """Each data set written once as a person would bring it; site_policy with fewer editions."""
    made = {}

    def get(name: str):
        if name not in made:
            world = suite_runs.world_of(name, shared_data(name))
            world = suite_runs.cut(world) if name == "site_policy" else world
            made[name] = suite_runs.written(world, tmp_path_factory.mktemp(name))
        return made[name]

    return get


@pytest.fixture(scope="session")
def archive(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("archive")


@pytest.fixture
def archived(archive) -> Callable[[RunRecord, str], list[dict]]:
    """The records of one file of an archived run."""

    def read(record: RunRecord, name: str) -> list[dict]:
        text = (archive / record.run_id / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    return read


@pytest.fixture(scope="session")
def run(files, archive, tmp_path_factory) -> Iterator[Callable[..., RunRecord]]:
    def start(name: str, *words: str, target=None, shown: Shown | None = None) -> RunRecord:
        plan = files(name).plan(archive, SMALL, *words)
        if shown is not None:
            watch(plan.target, shown)
        if target is not None:
            plan = replace(plan, target=target(plan.target))
        return evaluate(plan, Quiet())

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAGEVAL_KEY_FILE", str(tmp_path_factory.mktemp("key") / "key"))
        yield start


@pytest.fixture(scope="session")
def clean(run) -> Callable[[str], tuple[RunRecord, Shown]]:
    """The record of a clean run of each data set, and all that its target showed to anybody."""
    made = {}

    def get(name: str) -> tuple[RunRecord, Shown]:
        if name not in made:
            shown: Shown = []
            made[name] = run(name, shown=shown), shown
        return made[name]

    return get


def watch(target, shown: Shown) -> None:
    """Note every id that any tap of the target shows."""

    def watched(inner):
        def asked(requests):
            replies = inner(requests)
            for request, reply in zip(requests, replies, strict=True):
                for seen in reply.seen.values():
                    shown.extend((request, item) for item in seen.ids)
            return replies

        return asked

    target.search, target.answer = watched(target.search), watched(target.answer)


def editions(world) -> dict[str, Version]:
    return {
        chunk.chunk_id: version
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    }


def absent(record: RunRecord) -> set[str]:
    return {family.family for family in record.families if family.not_applicable}


def untested(record: RunRecord) -> set[str]:
    """The conditions of which the report says that this world cannot show them."""
    return {cell.condition for cell in record.coverage if cell.not_applicable}


@pytest.mark.parametrize("name", suite_runs.NAMES)
def test_what_an_importer_makes_is_without_fault_for_the_intake(files, name):
    report = validate(files(name).snapshot, files(name).directory)
    assert list(report.faults) == []


@pytest.mark.parametrize(
    ("name", "families", "conditions"),
    [
        # Four people, four departments, entries without an end: only C1 and C11 can deny. The
        # outsiders of ACL-01 are planted.
        (
            "authzed_rag_acl",
            ONE_TENANT_NO_LABELS | {"ACL-10", "PRN-02", "CIT-02"},
            {*EVERY} - {"C1", "C11"},
        ),
        # Files with owners and shares, each dated: no group, no folder.
        ("agentdojo", ONE_TENANT_NO_LABELS | NO_DRIVE_GROUPS, {*EVERY} - {"C1", "C7", "C11"}),
        ("zh_laws", {"CIT-02"}, set()),
        ("site_policy", {"CIT-02"}, set()),
    ],
)
def test_the_suite_passes_on_the_clean_system_and_names_what_it_could_not_test(
    clean, name, families, conditions
):
    record, _ = clean(name)
    assert record.decision.exit_code == 0, [g for g in record.decision.gates if not g.met]
    assert record.decision.outcome is RunOutcome.PASS
    assert absent(record) == families
    assert untested(record) == conditions
    tested = [cell for cell in record.coverage if not cell.not_applicable]
    assert all(cell.denied_alone and cell.twin_allowed for cell in tested)
    executed = [f for f in record.families if not f.not_applicable]
    assert len(executed) + len(families) == 90  # 89 families of cases, and LOG-06
    # Eight facts are too few to tell a leak from chance: those two hold nothing, and break nothing.
    assert all(f.held == f.planned > 0 for f in executed if f.family not in {"SID-11", "SID-15"})
    assert not any(f.violated for f in executed)


@pytest.mark.parametrize(
    ("name", "fault", "caught_by"),
    [
        ("authzed_rag_acl", "no_tenant_check", {"ACL-01"}),
        ("authzed_rag_acl", "no_department_check", {"ACL-02"}),
        ("authzed_rag_acl", "cache_key_without_principal", {"CAC-01"}),
        ("agentdojo", "no_tenant_check", {"ACL-01"}),
        ("agentdojo", "cache_key_without_principal", {"CAC-01"}),
        ("zh_laws", "no_tenant_check", {"ACL-01"}),
        ("site_policy", "no_tenant_check", {"ACL-01"}),
        ("site_policy", "no_department_check", {"ACL-02"}),
        ("site_policy", "cache_key_without_principal", {"CAC-01"}),
    ],
)
def test_a_seeded_fault_is_caught_by_its_family(run, name, fault, caught_by):
    chosen = "suites.acl_negative.families.ids=[ACL-01,ACL-02,ACL-18,CAC-01]"
    record = run(name, chosen, f"fault={fault}")
    assert record.decision.exit_code == 3
    assert caught_by <= {f.family for f in record.families if f.violated}


def test_without_departments_a_missing_check_of_departments_is_no_leak(run):
    """Of its own documents: where the kit plants people of departments, it is one."""
    own = "suites.acl_negative.families.ids=[ACL-01,ACL-02,ACL-25,CAC-01,CTL-01]"
    record = run("agentdojo", own, "fault=no_department_check")
    assert record.decision.exit_code == 0


def test_in_the_past_only_what_was_in_force_then_is_found_and_the_suite_passes(run, files):
    past, world = suite_runs.PAST, files("site_policy").world
    shown: Shown = []
    record = run("site_policy", f"as_of={past.isoformat()}", shown=shown)
    assert record.decision.exit_code == 0, [g for g in record.decision.gates if not g.met]
    version_of = editions(world)
    then = [version_of[i] for request, i in shown if request.as_of == past and i in version_of]
    assert then
    assert all(v.valid_from <= past and (v.valid_to is None or past < v.valid_to) for v in then)
    assert any(v.valid_to is not None and v.valid_to <= world.clock for v in then)  # superseded


def test_a_law_without_a_start_date_is_never_shown_and_its_cases_hold(clean, files, archived):
    world = files("zh_laws").world
    version_of = editions(world)
    undefined = {item for item, version in version_of.items() if version.valid_from is None}
    assert len({version_of[item].version_id for item in undefined}) == 137
    record, shown = clean("zh_laws")
    assert shown
    assert undefined.isdisjoint({item for _, item in shown})

    without_date = {
        document.document_id
        for document in world.documents.values()
        if all(version.valid_from is None for version in document.versions)
    }
    not_in_force = {
        case["document"]
        for case in archived(record, "cases.jsonl")
        if case["family"] == "CTL-08" and case["denied_by"] == ["C6"]
    }
    assert not_in_force & without_date
    outcomes = {verdict["outcome"] for verdict in archived(record, "verdicts.jsonl")}
    assert outcomes == {"held"}


def test_an_endpoint_that_only_returns_ids_of_documents_can_pass(run):
    record = run("authzed_rag_acl", target=suite_runs.IdsOnly)
    assert record.decision.exit_code == 0, [g for g in record.decision.gates if not g.met]
    assert (record.grain, record.taps, record.powers) == ("document", ("retrieve",), ())
    executed = {family.family for family in record.families if family.planned}
    without_power = {"ACL-02", "ACL-06", "ACL-19", "ACL-25", "ACL-28", "SID-01", "CTL-01", "CTL-08"}
    assert executed == without_power
    assert untested(record) == {*EVERY} - {"C11"}


def test_an_endpoint_that_only_returns_ids_is_caught_all_the_same(run):
    record = run("authzed_rag_acl", "fault=no_department_check", target=suite_runs.IdsOnly)
    assert record.decision.exit_code == 3
    assert "ACL-02" in {family.family for family in record.families if family.violated}
