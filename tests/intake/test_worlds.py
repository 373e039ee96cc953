"""A world is judged whole: each rule between its tables names the row that breaks it."""

import copy
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rageval_kit.corpus.snapshots import load_world
from rageval_kit.intake.build import build_snapshot
from rageval_kit.intake.validate import read_and_check, validate
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import State, Window

DOCS = Path(__file__).parents[2] / "docs" / "world-schema.md"


@pytest.fixture
def example(tmp_path):
    text = re.search(r"```yaml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL).group(1)
    path = tmp_path / "world.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def base():
    version = {
        "version_id": "d1v1",
        "valid_from": "2024-01-01",
        "states": "published",
        "chunks": [{"text": "x"}],
    }
    document = {
        "document_id": "d1",
        "tenant": "t1",
        "folder": "f1",
        "label": "low",
        "owner": "u1",
        "entries": [{"effect": "allow", "kind": "unit", "id": "g1"}],
        "versions": [version],
    }
    return {
        "schema": 1,
        "clock": "2024-08-01T00:00:00Z",
        "timezone": "Asia/Shanghai",
        "policy": {"labels": ["low", "high"]},
        "tenants": [{"tenant_id": "t1"}, {"tenant_id": "t2"}],
        "principals": [{"principal_id": "u1", "tenant": "t1", "clearance": "high"}],
        "units": [{"unit_id": "g1", "tenant": "t1"}, {"unit_id": "g2", "tenant": "t1"}],
        "memberships": [{"unit": "g1", "member": "u1"}],
        "guests": [],
        "links": [{"link_id": "l1"}],
        "folders": [{"folder_id": "f1", "tenant": "t1", "entries": []}],
        "documents": [document],
    }


def judged(world, tmp_path):
    """Write the world as a snapshot folder and a directory, and judge it."""
    head = {k: v for k, v in world.items() if k in ("schema", "clock", "timezone", "policy")}
    (tmp_path / "snapshot.json").write_text(json.dumps(head))
    for name in ("documents", "folders"):
        text = "\n".join(json.dumps(row, ensure_ascii=False) for row in world[name])
        (tmp_path / f"{name}.jsonl").write_text(text, encoding="utf-8")
    people = {
        k: world[k] for k in ("tenants", "principals", "units", "memberships", "guests", "links")
    }
    (tmp_path / "directory.json").write_text(json.dumps({"schema": 1, **people}))
    return validate(tmp_path, tmp_path / "directory.json")


def test_the_example_of_the_documentation_is_a_world(example, tmp_path):
    built = build_snapshot(example, tmp_path / "out", name="handbook")
    world = load_world(built.folder, built.directory)
    assert built.folder.name == f"handbook-{built.digest[:12]}"
    assert world.clock == datetime(2024, 8, 1, 1, tzinfo=UTC)
    leave = world.documents["leave"].versions
    assert leave[0].valid_to == leave[1].valid_from == datetime(2024, 6, 30, 16, tzinfo=UTC)
    assert leave[1].chunks[1].compartments == {"payroll"}
    assert world.memberships["staff/hr"].member_is_unit
    assert world.memberships["staff/alice"].window == Window(
        datetime(2023, 12, 31, 16, tzinfo=UTC), datetime(2024, 12, 31, 16, tzinfo=UTC)
    )
    assert world.links["offsite"].opened == (("alice", datetime(2024, 7, 20, 2, tzinfo=UTC)),)
    assert [s for _, s in world.documents["offsite-plan"].versions[0].states] == [
        State.DRAFT,
        State.PUBLISHED,
    ]
    assert not world.documents["offsite-plan"].inherits


def test_the_same_content_gives_the_same_folder(example, tmp_path):
    one = build_snapshot(example, tmp_path / "out", name="h")
    again = build_snapshot(example, tmp_path / "out", name="h")
    assert (one.folder, one.directory) == (again.folder, again.directory)
    assert validate(one.folder, one.directory).ok


def test_a_sound_world_has_no_fault(tmp_path):
    report = judged(base(), tmp_path)
    assert report.ok, report.faults
    assert report.rows_checked["documents"] == 1
    assert report.unchecked == ()


def test_what_could_not_be_checked_is_said(tmp_path):
    judged(base(), tmp_path)
    assert "no directory" in validate(tmp_path).unchecked[0]


def _set(path, value):
    def change(world):
        target = world
        for key in path[:-1]:
            target = target[key]
        if value is KeyError:
            del target[path[-1]]
        else:
            target[path[-1]] = value

    return change


def _append(path, value):
    def change(world):
        target = world
        for key in path:
            target = target[key]
        target.append(value)

    return change


D, E, V = ("documents", 0), ("documents", 0, "entries"), ("documents", 0, "versions", 0)
FAULTS = {
    "missing entries": (_set((*D, "entries"), KeyError), "entries", "is missing"),
    "null entries": (_set((*D, "entries"), None), "entries", "is missing"),
    "missing folder entries": (_set(("folders", 0, "entries"), KeyError), "entries", "is missing"),
    "unknown user": (
        _append(E, {"effect": "allow", "kind": "user", "id": "ghost"}),
        "entries[1].id",
        "does not have",
    ),
    "unknown link": (
        _append(E, {"effect": "allow", "kind": "link", "id": "l9"}),
        "entries[1].id",
        "does not have",
    ),
    "deny on a link": (
        _append(E, {"effect": "deny", "kind": "link", "id": "l1"}),
        "entries[1].effect",
        "deny on a link",
    ),
    "nobody named": (
        _append(E, {"effect": "allow", "kind": "user"}),
        "entries[1].id",
        "names nobody",
    ),
    "everyone with an id": (
        _append(E, {"effect": "allow", "kind": "everyone", "id": "u1"}),
        "entries[1].id",
        "carry no id",
    ),
    "unknown effect": (_set((*E, 0, "effect"), "alow"), "entries[0].effect", "is no effect"),
    "unknown kind": (_set((*E, 0, "kind"), "units"), "entries[0].kind", "is no kind"),
    "empty window": (
        _append(
            E,
            {
                "effect": "allow",
                "kind": "public",
                "not_before": "2024-02-01T00:00:00Z",
                "expires": "2024-02-01T00:00:00Z",
            },
        ),
        "entries[1].expires",
        "is not after",
    ),
    "naive time": (
        _set((*V, "valid_from"), "2024-01-01T00:00:00"),
        "versions[0].valid_from",
        "no offset",
    ),
    "unknown folder": (_set((*D, "folder"), "f9"), "folder", "does not have"),
    "unknown owner": (_set((*D, "owner"), "u9"), "owner", "does not have"),
    "unknown label": (_set((*D, "label"), "lowest"), "label", "no label of the policy"),
    "unknown chunk label": (
        _set((*V, "chunks", 0, "label"), "Low"),
        "versions[0].chunks[0].label",
        "no label of the policy",
    ),
    "unknown clearance": (
        _set(("principals", 0, "clearance"), "top"),
        "clearance",
        "no label of the policy",
    ),
    "folder of another tenant": (_set(("folders", 0, "tenant"), "t2"), "folder", "belongs to"),
    "unknown tenant": (_set((*D, "tenant"), "t9"), "tenant", "does not have"),
    "unknown unit": (_set(("memberships", 0, "unit"), "g9"), "unit", "does not have"),
    "unknown member": (_set(("memberships", 0, "member"), "g2"), "member", "does not have"),
    "unknown guest": (
        _append(("guests",), {"principal": "u9", "tenant": "t2"}),
        "principal",
        "does not have",
    ),
    "empty id": (_set((*V, "version_id"), ""), "versions[0].version_id", "is empty"),
    "huge id": (_set((*V, "version_id"), "é" * 257), "versions[0].version_id", "512 bytes"),
    "huge text": (
        _set((*V, "chunks", 0, "text"), "x" * 1_000_001),
        "versions[0].chunks[0].text",
        "1000000 bytes",
    ),
    "no state": (_set((*V, "states"), KeyError), "versions[0].states", "is missing"),
    "no version": (_set((*D, "versions"), []), "versions", "is empty"),
    "history out of order": (
        _set(
            (*V, "states"),
            [{"at": "2024-02-01", "state": "draft"}, {"at": "2024-01-01", "state": "published"}],
        ),
        "versions[0].states[1].at",
        "not later",
    ),
    "unknown key": (_set((*D, "tenent"), "t1"), "tenent", "no column"),
    "flag as text": (_set((*D, "inherits"), "perhaps"), "inherits", "neither yes nor no"),
    "no clock": (_set(("clock",), None), "clock", "no clock"),
    "naive clock": (_set(("clock",), "2024-01-01T00:00:00"), "clock", "no offset"),
    "unknown zone": (_set(("timezone",), "Asia/Peking"), "clock", "not known"),
    "other schema": (_set(("schema",), 2), "schema", "version of the file format"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_names_the_place_and_the_rule(name, tmp_path):
    change, column, rule = FAULTS[name]
    world = copy.deepcopy(base())
    change(world)
    report = judged(world, tmp_path)
    assert [(f.column, rule in f.rule) for f in report.faults if f.column == column] == [
        (column, True)
    ], report.faults
    assert all(fault.way_out for fault in report.faults)


def test_every_fault_is_reported_at_once(tmp_path):
    world = base()
    for name in (
        "unknown user",
        "unknown label",
        "naive time",
        "unknown clearance",
        "unknown unit",
    ):
        FAULTS[name][0](world)
    assert len(judged(world, tmp_path).faults) == 5


def test_a_wrong_spelling_is_answered_with_the_nearest(tmp_path):
    world = base()
    world["documents"][0]["entries"][0] = {"effect": "alow", "kind": "units", "id": "g1"}
    ways_out = [fault.way_out for fault in judged(world, tmp_path).faults]
    assert ways_out == ["did you mean 'allow'?", "did you mean 'unit'?"]


def test_bug_050_an_absent_list_is_refused_and_an_empty_one_is_denied(tmp_path):
    world = base()
    world["documents"][0]["entries"] = []
    assert judged(world, tmp_path).ok
    assert load_world(tmp_path, tmp_path / "directory.json").documents["d1"].entries == ()


def test_bug_061_bounds_in_days_are_stored_as_the_instants_of_the_local_days(tmp_path):
    world = base()
    world["documents"][0]["versions"][0] |= {"valid_from": "2024-06-01", "valid_to": "2024-06-30"}
    assert judged(world, tmp_path).ok
    (version,) = load_world(tmp_path, tmp_path / "directory.json").documents["d1"].versions
    assert version.valid_from == datetime(2024, 5, 31, 16, tzinfo=UTC)
    assert version.valid_to == datetime(2024, 6, 30, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    ("ends", "said"),
    [("2024-07-01T00:00:00.000001+08:00", "both valid"), ("2024-06-30T23:59:59+08:00", "none is")],
)
def test_bug_062_an_overlap_and_a_gap_at_a_change_name_both_versions(tmp_path, ends, said):
    world = base()
    starts = "2024-07-01T00:00:00+08:00"
    windows = [("published", "2024-01-01", ends), ("published", starts)]
    world["documents"][0]["versions"] = _versions(*windows)
    (fault,) = judged(world, tmp_path).faults
    assert said in fault.rule
    assert "'v1'" in fault.rule
    assert "'v2'" in fault.rule
    windows[0] = ("published", "2024-01-01", starts)
    world["documents"][0]["versions"] = _versions(*windows)
    assert judged(world, tmp_path).ok


def test_unit_cycles_are_named_as_a_path(tmp_path):
    world = base()
    world["memberships"] += [
        {"unit": "g2", "member": "g1", "member_kind": "unit"},
        {"unit": "g1", "member": "g2", "member_kind": "unit"},
    ]
    [fault] = judged(world, tmp_path).faults
    assert fault.rule == "units go in a circle: 'g1' > 'g2' > 'g1'"


def test_folder_cycles_and_a_long_chain(tmp_path):
    world = base()
    world["folders"] = [
        {"folder_id": f"f{n}", "tenant": "t1", "parent": f"f{n + 1}", "entries": []}
        for n in range(3000)
    ]
    world["folders"].append(
        {"folder_id": "f3000", "tenant": "t1", "parent": "f2998", "entries": []}
    )
    [fault] = judged(world, tmp_path).faults
    assert fault.rule == "folders go in a circle: 'f2998' > 'f2999' > 'f3000' > 'f2998'"


def _versions(*windows):
    return [
        {
            "version_id": f"v{n}",
            "states": state,
            "chunks": [],
            **{
                k: v
                for k, v in zip(
                    ("valid_from", "valid_to", "recorded_from", "recorded_to"), w, strict=False
                )
                if v
            },
        }
        for n, (state, *w) in enumerate(windows, 1)
    ]


@pytest.mark.parametrize(
    ("versions", "faults", "warnings"),
    [
        # one begins where the other ends
        ([("published", "2024-01-01", "2024-06-30"), ("published", "2024-07-01")], 0, 0),
        # the last day belongs to both
        ([("published", "2024-01-01", "2024-07-01"), ("published", "2024-07-01")], 1, 0),
        # a second is missing at the boundary
        (
            [
                ("published", "2024-01-01", "2024-06-30T23:59:59+08:00"),
                ("published", "2024-07-01"),
            ],
            1,
            0,
        ),
        # a rule that lapsed for a month
        ([("published", "2024-01-01", "2024-05-31"), ("published", "2024-07-01")], 0, 1),
        # open ends of both
        ([("published", "2024-01-01"), ("withdrawn", "2024-07-01")], 1, 0),
        # a draft waits beside what is in force
        ([("published", "2024-01-01"), ("draft", "2024-07-01")], 0, 0),
        # corrected: the same valid time, recorded one after the other
        (
            [
                ("published", "2024-01-01", None, "2024-01-01", "2024-02-01"),
                ("published", "2024-01-01", None, "2024-02-02"),
            ],
            0,
            0,
        ),
        # the middle one lies inside the first
        (
            [("published", "2024-01-01", "2024-12-31"), ("published", "2024-02-01", "2024-03-01")],
            1,
            0,
        ),
    ],
)
def test_bug_062_one_version_at_most_at_any_instant(versions, faults, warnings, tmp_path):
    world = base()
    world["documents"][0]["versions"] = _versions(*versions)
    report = judged(world, tmp_path)
    assert (len(report.faults), len(report.warnings)) == (faults, warnings), report
    for fault in (*report.faults, *report.warnings):
        assert "'v1'" in fault.rule
        assert "'v2'" in fault.rule


def test_bug_094_ids_that_collide_after_nfc_are_refused(tmp_path):
    world = base()
    twin = copy.deepcopy(world["documents"][0])
    world["documents"][0]["document_id"] = "Relev\u00e9"
    twin["document_id"] = "Releve\u0301"
    twin["versions"][0]["version_id"] = "other"
    world["documents"].append(twin)
    faults = judged(world, tmp_path).faults
    assert [(f.row, f.column) for f in faults] == [(1, "document_id"), (2, "document_id")]
    assert "line 1, line 2" in faults[0].rule


def test_a_version_id_and_a_chunk_id_are_unique_in_the_snapshot(tmp_path):
    world = base()
    twin = copy.deepcopy(world["documents"][0])
    twin["document_id"] = "d2"
    world["documents"].append(twin)
    columns = {fault.column for fault in judged(world, tmp_path).faults}
    assert columns == {"versions[0].version_id", "versions[0].chunks[0].chunk_id"}


def test_dropping_leaves_out_whole_documents_and_nothing_else(tmp_path):
    world = base()
    bad = copy.deepcopy(world["documents"][0])
    bad["document_id"], bad["versions"][0]["version_id"] = "d2", "d2v1"
    bad["entries"].append({"effect": "deny", "kind": "user", "id": "ghost"})
    world["documents"].append(bad)
    judged(world, tmp_path)
    report = validate(tmp_path, tmp_path / "directory.json", drop_invalid=True)
    assert report.ok
    assert (report.kept, report.dropped) == (1, ((str(tmp_path / "documents.jsonl"), 2),))
    world["memberships"][0]["member"] = "ghost"
    judged(world, tmp_path)
    assert not validate(tmp_path, tmp_path / "directory.json", drop_invalid=True).ok


def test_yaml_is_read_as_text(tmp_path):
    path = tmp_path / "w.yaml"
    path.write_text(
        "schema: 1\nclock: 2024-01-01\ntenants: [{tenant_id: NO}, {tenant_id: 007}]\n"
        "principals:\n  - {principal_id: 1e3, tenant: NO, name: ~}\ndocuments: []\n"
    )
    report, world = read_and_check(path)
    assert report.ok, report.faults
    assert list(world.tenants) == ["NO", "007"]
    assert list(world.principals) == ["1e3"]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("schema: 1\nschema: 1\n", 2, "stands twice"),
        ("schema: 1\na: &x [1]\nb: *x\n", 2, "alias"),
        ("schema: [1\n", 2, "not YAML"),
        ("a: " + "[" * 60 + "]" * 60, 1, "nests deeper"),
        ("- 1\n", 1, "not an object"),
        ("schema: 1\nclock: 2024-01-01\ndocuments:\n- entries: []\n", 4, "is missing"),
    ],
)
def test_faults_of_yaml_carry_their_line(tmp_path, text, line, said):
    path = tmp_path / "w.yaml"
    path.write_text(text)
    report, _ = read_and_check(path)
    assert any(f.row == line and said in f.rule for f in report.faults), report.faults


def test_dropping_in_one_file_takes_documents_only(example):
    text = example.read_text(encoding="utf-8").replace(
        "kind: link, id: offsite", "kind: link, id: x"
    )
    example.write_text(text, encoding="utf-8")
    report = validate(example, drop_invalid=True)
    assert report.ok
    assert (report.kept, len(report.dropped)) == (1, 1)
    example.write_text(
        text.replace("unit: hr, member: 王芳", "unit: hr, member: x"), encoding="utf-8"
    )
    [fault] = validate(example, drop_invalid=True).faults
    assert fault.column == "member"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("people.yaml", "", "holds nothing"),
        ("people.yaml", "# nobody yet\n", "holds nothing"),
        ("people.yaml", "---\n", "holds nothing"),
        ("people.jsonl", "\n", "holds nothing"),
        ("people.json", "[]", "holds nothing"),
        ("people.json", "", "not JSON"),
        ("people.yaml", "schema: 1\n", "names nobody"),
        ("people.yaml", "schema: 99\ntenants: []\n", "version of the file format"),
        ("people.json", '{"schema": true, "tenants": []}', "version of the file format"),
        ("people.yaml", "- {tenants: []}\n- {tenants: []}\n", "more than one object"),
    ],
)
def test_a_directory_that_says_nothing_is_refused_and_not_passed_over(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    [fault] = validate(None, path).faults
    assert said in fault.rule
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.md").write_text("---\ntenant: t\neveryone: yes\nvalid_from: 2024-01-01\n---\nx\n")
    with pytest.raises(InputError, match=said):
        build_snapshot(
            pages, tmp_path / "out", name="kb", clock="2024-08-01T00:00:00Z", directory=path
        )
    assert not (tmp_path / "out").exists()


def test_a_folder_without_people_and_an_empty_world_are_refused(tmp_path):
    assert "holds no people" in validate(None, tmp_path).faults[0].rule
    world = tmp_path / "world.yaml"
    world.write_text("# later\n")
    assert "holds nothing" in validate(world).faults[0].rule
