"""A world comes back from disk as it was, and goes by the name of its content."""

import json
import os
from dataclasses import replace

import pytest

from rageval_kit.corpus.digests import directory_digest, snapshot_digest
from rageval_kit.corpus.snapshots import load_world, write_directory, write_snapshot
from rageval_kit.records.faults import InputError, KitError


@pytest.fixture
def on_disk(world, tmp_path):
    return write_snapshot(world, tmp_path / "snap"), write_directory(world, tmp_path / "d.json")


def test_comes_back_as_it_was(world, on_disk):
    loaded = load_world(*on_disk)
    # lists without order of their own come back in the order of their ids
    leave = world.documents["leave"]
    ordered = replace(leave, entries=tuple(sorted(leave.entries, key=lambda e: e.entry_id)))
    link = world.links["l1"]
    expected = replace(
        world,
        documents={**world.documents, "leave": ordered},
        links={"l1": replace(link, opened=tuple(sorted(link.opened, key=lambda o: o[1])))},
    )
    assert loaded == expected


def test_keeps_a_unicode_line_separator_inside_a_text(on_disk):
    loaded = load_world(*on_disk)
    assert loaded.documents["leave"].versions[0].chunks[0].text == "年假10天\u2028第二行"


def test_the_digest_does_not_depend_on_how_the_files_are_written(world, on_disk, tmp_path):
    snapshot, directory = on_disk
    other = tmp_path / "other"
    other.mkdir()
    lines = (snapshot / "documents.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    shuffled = [
        json.dumps(dict(reversed(json.loads(line).items())), ensure_ascii=True, indent=None)
        for line in reversed(lines)
    ]
    # another order of lines and keys, escapes, spaces, CRLF, a byte-order mark, local times
    text = "\r\n".join(shuffled).replace("2024-01-10T00:00:00Z", "2024-01-10T08:00:00+08:00")
    (other / "documents.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (other / "folders.jsonl").write_bytes((snapshot / "folders.jsonl").read_bytes() + b"\n\n")
    head = json.loads((snapshot / "snapshot.json").read_text(encoding="utf-8"))
    (other / "snapshot.json").write_text(json.dumps({**head, "name": "renamed"}), encoding="utf-8")
    assert snapshot_digest(other) == snapshot_digest(snapshot) == snapshot_digest(world)
    assert directory_digest(directory) == directory_digest(world)


@pytest.mark.parametrize(
    "change",
    [
        {"timezone": "UTC"},
        {"clock": None},
        {"documents": {}},
        {"folders": {}},
        {"policy": None},
    ],
)
def test_the_digest_changes_with_the_content(world, worlds, change):
    if "clock" in change:
        change = {"clock": worlds.day(16)}
    if "policy" in change:
        change = {"policy": replace(world.policy, labels=("high", "low"))}
    assert snapshot_digest(replace(world, **change)) != snapshot_digest(world)


def test_the_name_is_no_part_of_the_content(world):
    assert snapshot_digest(replace(world, name="x")) == snapshot_digest(world)


def test_loading_notices_a_text_that_was_changed(on_disk):
    snapshot, directory = on_disk
    path = snapshot / "documents.jsonl"
    path.write_bytes(path.read_bytes().replace("10天".encode(), "11天".encode()))
    with pytest.raises(InputError, match="not the content its digest names"):
        load_world(snapshot, directory)
    assert load_world(snapshot, directory, verify=False).name == "small"


def test_a_snapshot_is_never_overwritten(world, on_disk):
    with pytest.raises(InputError, match="exists already"):
        write_snapshot(world, on_disk[0])


def test_nothing_stays_of_a_write_that_fails(world, tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(KitError, match="No space left"):
        write_directory(world, tmp_path / "d.json")
    from rageval_kit.corpus import snapshots

    monkeypatch.setattr(snapshots, "_write_lines", full)
    with pytest.raises(KitError, match="No space left"):
        write_snapshot(world, tmp_path / "snap")
    assert list(tmp_path.iterdir()) == []


def test_bug_094_ids_are_composed_and_a_collision_is_refused(tmp_path):
    def write(*ids):
        folder = tmp_path / str(len(ids))
        folder.mkdir()
        head = {"schema": 1, "clock": "2024-01-01T00:00:00Z"}
        (folder / "snapshot.json").write_text(json.dumps(head))
        lines = [
            json.dumps({"document_id": i, "tenant": "t", "entries": [], "versions": []})
            for i in ids
        ]
        (folder / "documents.jsonl").write_text("\n".join(lines))
        (folder / "directory.json").write_text('{"schema": 1}')
        return folder

    one = write("Releve\u0301.pdf")
    assert list(load_world(one, one / "directory.json").documents) == ["Relev\u00e9.pdf"]
    two = write("Releve\u0301.pdf", "Relev\u00e9.pdf")
    with pytest.raises(InputError, match="stands twice"):
        load_world(two, two / "directory.json")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("snapshot.json", b'{"schema": 2, "clock": "2024-01-01T00:00:00Z"}', "version of the file"),
        ("snapshot.json", b'{"schema": 1}', "no clock"),
        ("snapshot.json", b"\xff\xfe{", "not JSON"),
        ("documents.jsonl", b'{"document_id": "d"}', "documents.jsonl:1"),
        ("documents.jsonl", b"[" * 100_000, "not JSON"),
        ("documents.jsonl", b"\n\n7\n", "documents.jsonl:3"),
    ],
)
def test_a_broken_file_is_named_and_never_a_traceback(on_disk, name, content, said):
    (on_disk[0] / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        load_world(*on_disk)


def test_a_directory_can_be_a_folder_of_tables(world, tmp_path):
    from rageval_kit.corpus.digests import directory_tables, encode

    for name, lines in directory_tables(world).items():
        (tmp_path / f"{name}.jsonl").write_bytes(b"\n".join(encode(line) for line in lines))
    assert directory_digest(tmp_path) == directory_digest(world)
