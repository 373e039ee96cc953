"""Versions that contradict each other are refused: each by name, all at once, nothing written."""

import json
import time
from datetime import UTC, datetime

import pytest

from rageval_kit.corpus.snapshots import load_snapshot
from rageval_kit.intake.build import build_snapshot
from rageval_kit.intake.chunking import passages
from rageval_kit.intake.validate import validate
from rageval_kit.records.faults import InputError

CLOCK = "2024-08-01T00:00:00Z"


def row(version, **columns):
    said = {"document_id": "d", "tenant": "t", "everyone": True, "text": version}
    return {**said, "version_id": version, **columns}


def build(tmp_path, *rows):
    table = tmp_path / "d.jsonl"
    table.write_text("".join(json.dumps(item) + "\n" for item in rows), encoding="utf-8")
    return build_snapshot(table, tmp_path / "out", name="n", clock=CLOCK, timezone="UTC")


def windows(built):
    return {
        version.version_id: tuple(
            bound and bound.strftime("%m-%d") for bound in (version.valid_from, version.valid_to)
        )
        for document in load_snapshot(built.folder).documents.values()
        for version in document.versions
    }


def refused(tmp_path, *rows):
    with pytest.raises(InputError) as error:
        build(tmp_path, *rows)
    assert not (tmp_path / "out").exists()
    return [str(fault).removeprefix(f"{tmp_path / 'd.jsonl'}:") for fault in error.value.faults]


def test_a_chain_ends_each_version_where_its_successor_begins(tmp_path):
    built = build(
        tmp_path,
        row("v3", valid_from="2024-03-01", supersedes=["v2"]),
        row("v1", valid_from="2024-01-01"),
        row("v2", valid_from="2024-02-01", supersedes="v1"),
    )
    assert windows(built) == {
        "v1": ("01-01", "02-01"),
        "v2": ("02-01", "03-01"),
        "v3": ("03-01", None),
    }


def test_one_version_may_succeed_several_documents_and_a_stated_end_stands(tmp_path):
    built = build(
        tmp_path,
        row("a", document_id="a", valid_from="2024-01-01"),
        row("b", document_id="b", valid_from="2024-01-01", valid_to="2024-01-31"),
        row("new", valid_from="2024-03-01", supersedes=["a", "b"]),
    )
    assert windows(built)["a"] == ("01-01", "03-01")
    assert windows(built)["b"] == ("01-01", "02-01")


def test_a_world_by_hand_may_say_what_supersedes_what(tmp_path):
    def version(name, **said):
        return {"version_id": name, "states": "published", "chunks": [{"text": name}], **said}

    world = {
        "schema": 1,
        "clock": CLOCK,
        "documents": [
            {
                "document_id": "d",
                "tenant": "t",
                "entries": [],
                "versions": [
                    version("v1", valid_from="2024-01-01"),
                    version("v2", valid_from="2024-02-01", supersedes=["v1"]),
                ],
            }
        ],
    }
    source = tmp_path / "world.json"
    source.write_text(json.dumps(world))
    built = build_snapshot(source, tmp_path / "out", name="n")
    assert windows(built) == {"v1": ("01-01", "02-01"), "v2": ("02-01", None)}
    assert "supersedes" not in (built.folder / "documents.jsonl").read_text()


def test_every_fault_of_a_chain_is_named(tmp_path):
    found = refused(
        tmp_path,
        row("a", document_id="1", valid_from="2024-01-01", supersedes=["b"]),
        row("b", document_id="2", valid_from="2024-01-01", supersedes=["a"]),
        row("self", document_id="3", valid_from="2024-01-01", supersedes=["self"]),
        row("lost", document_id="4", valid_from="2024-01-01", supersedes=["nowhere"]),
        row("old", document_id="5", valid_from="2024-01-01"),
        row("one", document_id="6", valid_from="2024-02-01", supersedes=["old"]),
        row("two", document_id="7", valid_from="2024-02-01", supersedes=["old"]),
        row("late", document_id="8", valid_from="2024-02-01"),
        row("soon", document_id="9", valid_from="2024-01-01", supersedes=["late"]),
    )
    expected = {
        "versions go in a circle: 'a' > 'b' > 'a'": ("1", "2"),
        "versions go in a circle: 'self' > 'self'": ("3",),
        "names a version that the snapshot does not have": ("4",),
        "'old' is superseded twice, here and by 'one' (line 6)": ("7",),
        "supersedes 'late', which begins no earlier": ("9",),
    }
    for rule, lines in expected.items():
        assert any(rule in line and line.split(":")[0] in lines for line in found), (rule, found)


def test_a_successor_without_a_date_leaves_the_end_open_and_warns(tmp_path):
    built = build(
        tmp_path,
        row("a", document_id="1", valid_from="2024-01-01"),
        row("b", document_id="2", supersedes=["a"]),
    )
    assert windows(built)["a"] == ("01-01", None)
    assert any("does not say from when 'a'" in str(w.fault) for w in built.report.warnings)


@pytest.mark.parametrize(
    ("states", "ends"),
    [
        ("draft", False),
        ("withdrawn", False),
        ([{"at": "2024-01-15T00:00:00Z", "state": "quarantined"}], False),
        ("published", True),
        (
            [
                {"at": "2024-02-01T00:00:00Z", "state": "published"},
                {"at": "2024-03-01T00:00:00Z", "state": "withdrawn"},
            ],
            True,
        ),
    ],
    ids=["draft", "withdrawn", "quarantined", "published", "published_once"],
)
def test_only_what_was_published_ends_what_it_supersedes(tmp_path, states, ends):
    def document(name, **said):
        version = {"version_id": name, "states": "published", "chunks": [{"text": name}], **said}
        return {"document_id": name, "tenant": "t", "entries": [], "versions": [version]}

    world = {
        "schema": 1,
        "clock": CLOCK,
        "documents": [
            document("a", valid_from="2024-01-01"),
            document("b", valid_from="2024-02-01", supersedes=["a"], states=states),
        ],
    }
    source = tmp_path / "world.json"
    source.write_text(json.dumps(world))
    built = build_snapshot(source, tmp_path / "out", name="n")
    assert windows(built)["a"] == ("01-01", "02-01" if ends else None)
    warned = any("was never published, so 'a'" in str(w.fault) for w in built.report.warnings)
    assert warned is not ends


def test_one_that_was_withdrawn_unpublished_may_stand_beside_the_real_successor(tmp_path):
    built = build(
        tmp_path,
        row("a", document_id="1", valid_from="2024-01-01"),
        row("b", document_id="2", valid_from="2024-02-01", supersedes=["a"], state="draft"),
        row("c", document_id="3", valid_from="2024-03-01", supersedes=["a"], state="published"),
    )
    assert windows(built)["a"] == ("01-01", "03-01")


def test_a_snapshot_by_hand_that_was_never_built_is_not_loaded_with_open_ends(tmp_path):
    built = build(tmp_path, row("a", valid_from="2024-01-01"))
    path = built.folder / "documents.jsonl"
    path.write_text(path.read_text().replace('"valid_from"', '"supersedes":["x"],"valid_from"'))
    with pytest.raises(InputError, match="build it with `rageval-kit snapshot` first"):
        load_snapshot(built.folder, verify=False)


def test_bad_versions_are_all_named_at_once(tmp_path):
    found = refused(
        tmp_path,
        row("o1", document_id="overlap", valid_from="2024-01-01", valid_to="2024-03-31"),
        row("o2", document_id="overlap", valid_from="2024-03-01"),
        row("e", document_id="end", valid_from="2024-03-01", valid_to="2024-01-01"),
        row("n", document_id="naive", valid_from="2024-03-01T00:00:00"),
        row("t1", document_id="tenants", valid_from="2024-01-01", valid_to="2024-01-31"),
        row("t2", document_id="tenants", valid_from="2024-02-01", tenant="u"),
    )
    assert [line.split(":")[0] for line in found] == ["2", "3", "4", "6"]
    parts = (
        "'o1' (line 1) and 'o2' (line 2) are both valid",
        "is not after",
        "no offset",
        "differs",
    )
    assert all(part in line for part, line in zip(parts, found, strict=True)), found


def test_drafts_may_wait_beside_what_is_in_force_and_corrections_in_recorded_time(tmp_path):
    built = build(
        tmp_path,
        row("old", valid_from="2024-01-01", recorded_from="2024-01-01", recorded_to="2024-01-31"),
        row("corrected", valid_from="2024-01-01", recorded_from="2024-02-01"),
        row("draft", valid_from="2024-01-01", recorded_from="2024-02-01", state="draft"),
    )
    assert len(windows(built)) == 3


def test_a_hole_that_a_withdrawal_made_is_meant(tmp_path):
    instant = "2024-02-01T0{}:00:00Z"
    states = [
        {"at": "2024-01-01T00:00:00Z", "state": "published"},
        {"at": instant.format(0), "state": "withdrawn"},
    ]
    old = row("v1", valid_from="2024-01-01", valid_to=instant.format(0), state=states)
    new = row("v2", valid_from=instant.format(2))
    assert build(tmp_path / "", old, new).report.warnings == ()
    other = tmp_path / "other"
    other.mkdir()
    found = refused(other, {**old, "state": "published"}, new)
    assert "none is valid, from" in found[0]


def test_another_encoding_is_named_by_its_byte(tmp_path):
    table = tmp_path / "d.jsonl"
    table.write_bytes('{"document_id": "年假"}\n'.encode("gb18030"))
    with pytest.raises(InputError, match="is not UTF-8"):
        build_snapshot(table, tmp_path / "out", name="n", clock=CLOCK)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "text",
    ["x" * 50_000_000, "a|b\n" + "-" * 5_000_000 + "|x", "# " + "h" * 5_000_000],
    ids=["fifty_megabytes", "nearly_a_table", "a_heading"],
)
def test_one_endless_line_is_cut_in_bounded_time_and_nothing_is_lost(text):
    began = time.monotonic()
    found = passages(text)
    assert time.monotonic() - began < 20
    assert "".join(passage.text for passage in found) == text
    assert max(len(passage.text) for passage in found) <= 1200
    assert max(len(passage.location) for passage in found) < 100


def test_a_long_line_of_a_table_is_not_repeated_with_every_piece():
    long = passages("|" + "h" * 2000 + "|\n|-|\n" + ("|" + "r" * 900 + "|\n") * 3)
    assert {passage.table_header for passage in long} == {None}
    assert {passage.kind for passage in long} == {"table"}


def test_a_file_of_one_long_line_comes_in_whole(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "a.md").write_text("---\ntenant: t\neveryone: yes\n---\n" + "年假十五天。" * 400_000)
    built = build_snapshot(folder, tmp_path / "out", name="n", clock=CLOCK)
    version = load_snapshot(built.folder).documents["a.md"].versions[0]
    assert sum(len(chunk.text) for chunk in version.chunks) == 6 * 400_000
    assert validate(built.folder).ok


def test_the_clock_of_a_snapshot_is_the_one_that_was_said(tmp_path):
    built = build(tmp_path, row("a", valid_from="2024-01-01"))
    assert load_snapshot(built.folder).clock == datetime(2024, 8, 1, tzinfo=UTC)
