"""Folders are made once, writes are whole or absent, and a failure is one line with a way out."""

import json
import os
import subprocess
import sys

import pytest

from rageval_kit.archive.folder import RunFolder
from rageval_kit.archive.manifest import seal
from rageval_kit.archive.masking import Mask
from rageval_kit.archive.reading import read_file
from rageval_kit.records.faults import InputError, KitError

SECRET = "sk-test-000111222333"  # noqa: S105 - made up for this test
MASK = Mask.of([SECRET], b"k" * 32)

STARTER = """
import secrets, sys
from datetime import UTC, datetime
from pathlib import Path
from rageval_kit.archive.folder import RunFolder
from rageval_kit.archive.manifest import seal
from rageval_kit.archive.names import new_run_id
from rageval_kit.archive.verify import verify
run_id = new_run_id(datetime(2026, 11, 30, 8, 15, tzinfo=UTC), secrets.token_bytes(8))
run = RunFolder.create(Path(sys.argv[1]), run_id)
run.write_text("report.md", "x")
seal(run, run_id=run_id, fingerprint="f", previous=None)
print(run_id, verify(run.path).exit_code)
"""

FULL = """
import sys
from pathlib import Path
from rageval_kit.archive.folder import RunFolder
from rageval_kit.records.faults import KitError
root = Path(sys.argv[1])
run = RunFolder.create(root, "r1")
run.write_text("first.txt", "x")
for write in (
    lambda: run.write_bytes("big.bin", bytes(200_000)),
    lambda: run.write_chain("big.jsonl", ({"n": "x" * 1000} for _ in range(3000))),
):
    try:
        write()
    except KitError as error:
        left = sorted(p.name for p in run.path.iterdir())
        print(error.exit_code, str(error).replace("\\n", "|"), left)
"""

READ_ONLY = """
import sys
from pathlib import Path
from rageval_kit.archive.folder import RunFolder
from rageval_kit.records.faults import KitError
try:
    RunFolder.create(Path(sys.argv[1]) / "archive", "r1")
except KitError as error:
    print(error.exit_code, str(error))
"""


def mounted(options, script, folder):
    """Runs the script with a small file system at `folder`, mounted for it alone."""
    shell = f'mount -t tmpfs -o {options} none "$1" && exec "$2" -c "$3" "$1"'
    command = ["unshare", "--mount", "sh", "-c", shell, "sh", str(folder), sys.executable, script]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare here")
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("may not mount here")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_two_processes_in_the_same_second_get_folders_of_their_own(tmp_path):
    command = [sys.executable, "-c", STARTER, str(tmp_path)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[0].split() for process in running]
    assert [code for _, code in said] == ["0", "0"]
    assert len({run_id for run_id, _ in said}) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(run_id for run_id, _ in said)


@pytest.mark.parametrize("content", [None, "notes.txt"], ids=["empty", "not_empty"])
def test_a_folder_that_exists_is_refused(tmp_path, content):
    (tmp_path / "fixed").mkdir()
    if content:
        (tmp_path / "fixed" / content).write_text("mine")
    with pytest.raises(InputError, match="archive exists and is immutable") as refusal:
        RunFolder.create(tmp_path, "fixed")
    assert refusal.value.exit_code == 2
    assert [path.name for path in (tmp_path / "fixed").iterdir()] == ([content] if content else [])


def test_a_full_disk_is_one_line_and_leaves_no_half_file(tmp_path):
    said = mounted("size=64k", FULL, tmp_path)
    assert len(said) == 2
    for line in said:
        assert line.startswith("5 ")
        assert "the disk is full" in line
        assert "|" not in line
        assert line.endswith("['first.txt']")


def test_a_read_only_file_system_is_one_line(tmp_path):
    (line,) = mounted("ro", READ_ONLY, tmp_path)
    assert line.startswith("5 ")
    assert "the file system is read-only" in line


def test_a_writer_that_meets_enospc_leaves_the_old_file(tmp_path, monkeypatch):
    run = RunFolder.create(tmp_path, "r1")
    run.write_text("report.md", "old")

    def full(_descriptor, _data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(KitError, match="the disk is full") as failure:
        run.write_text("report.md", "new")
    monkeypatch.undo()
    assert failure.value.exit_code == 5
    assert (run.path / "report.md").read_text() == "old"
    assert [path.name for path in run.path.iterdir()] == ["report.md"]


def test_a_file_where_a_folder_should_be_is_one_line(tmp_path):
    (tmp_path / "archive").write_text("x")
    for root in (tmp_path / "archive", tmp_path / "archive" / "deeper"):
        with pytest.raises(KitError, match="a file stands where a folder should be") as failure:
            RunFolder.create(root, "r1")
        assert failure.value.exit_code == 5
        assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    "name",
    [
        "../x",
        "/etc/x",
        "a/../../x",
        "manifest.json",
        "MANIFEST.json",
        "journal.jsonl",
        "journal.torn",
        ".gitattributes",
        "CON",
        "a\\b",
        "很.txt",
        "/".join(["a" * 70] * 3),
    ],
)
def test_names_that_leave_the_folder_or_belong_to_it_are_refused(tmp_path, name):
    run = RunFolder.create(tmp_path / "archive", "r1")
    with pytest.raises(InputError, match="archive file name"):
        run.write_text(name, "x")
    assert list(run.path.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["archive"]


def test_a_link_inside_the_folder_is_not_written_through(tmp_path):
    run = RunFolder.create(tmp_path / "archive", "r1")
    (tmp_path / "outside").mkdir()
    (run.path / "evidence").symlink_to(tmp_path / "outside")
    (run.path / "report.md").symlink_to(tmp_path / "outside" / "report.md")
    for name in ("evidence/x.txt", "report.md"):
        with pytest.raises(InputError, match="symbolic link"):
            run.write_text(name, "x")
    assert list((tmp_path / "outside").iterdir()) == []


def test_what_is_written_is_read_back(tmp_path):
    run = RunFolder.create(tmp_path, "r1")
    run.write_text("notes/报告".replace("报告", "zh.md"), "结论：通过\r\n")
    assert read_file(run.path, "notes/zh.md").decode() == "结论：通过\r\n"
    for name in ("missing.txt", "notes"):
        with pytest.raises(InputError, match="is not in the archive"):
            read_file(run.path, name)
    with pytest.raises(InputError):
        read_file(run.path, "../r1/notes/zh.md")


def test_json_refuses_nan_and_names_the_place(tmp_path):
    run = RunFolder.create(tmp_path, "r1")
    with pytest.raises(KitError, match=r"metrics\.ratio: inf"):
        run.write_json("summary.json", {"metrics": {"ratio": float("inf")}})
    run.write_json("summary.json", {"doc_title": "NaN 面包 Infinity -Infinity", "ratio": None})
    data = json.loads((run.path / "summary.json").read_bytes(), parse_constant=pytest.fail)
    assert data == {"doc_title": "NaN 面包 Infinity -Infinity", "ratio": None}


def test_a_secret_reaches_no_file_whatever_way_it_is_written(tmp_path):
    run = RunFolder.create(tmp_path, "r1", MASK)
    run.write_text(
        "config.resolved.yaml", f"judge:\n  headers:\n    Authorization: Bearer {SECRET}\n"
    )
    run.write_text("overrides.txt", f"judge.api_key={SECRET}")
    run.write_json("provenance.json", {"errors": [f"401 invalid key {SECRET}"], SECRET: 1})
    run.write_bytes("report.html", f"<p>{SECRET}</p>".encode())
    run.write_chain("traces.jsonl", [{"detail": f"401 invalid key {SECRET}"}])
    with pytest.raises(KitError, match="binary data"):
        run.write_bytes("scores.parquet", b"\0\xff" + SECRET.encode())
    for path in run.path.iterdir():
        data = path.read_bytes()
        assert SECRET.encode() not in data
        assert b"***" in data
    json.loads((run.path / "provenance.json").read_bytes())


def test_a_numeric_secret_is_masked_in_texts_and_leaves_numbers_and_json_alone(tmp_path):
    run = RunFolder.create(tmp_path, "r1", Mask.of(["12345678"], b"k" * 32))
    run.write_json(
        "provenance.json", {"pin": 12345678, "n": [3, 12345678.0, True], "t": "12345678"}
    )
    data = json.loads((run.path / "provenance.json").read_bytes())
    assert data["n"] == [3, 12345678.0, True]
    assert data["pin"] == 12345678
    assert data["t"].startswith("***")
    seal(run, run_id="r1", fingerprint="f", previous=None)  # no false alarm either
