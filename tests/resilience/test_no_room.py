"""No room, no right, no input: one clear line, the right exit code, and nothing half done."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from resilience_kit import SMALL, Command, one_line, verdicts

from rageval_kit.cli import door
from rageval_kit.resources import tree

ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = "65534"


def can_mount():
    tried = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return ROOT and shutil.which("unshare") and not subprocess.run(tried, check=False).returncode


mounting = pytest.mark.skipif(not can_mount(), reason="mounting a small disk needs root")


@pytest.mark.parametrize("place", ["start", "journal", "report", "manifest"])
def test_a_full_disk_is_5_on_one_line_and_the_run_goes_on_later(kit, undisturbed, place):
    whole = undisturbed()
    named = [call.split(" ", 2)[2] for call in whole.calls]
    number = {
        "start": 0,
        "journal": 15,
        "report": named.index("report.md") - 2,
        "manifest": named.index("manifest.json") - 2,
    }[place]
    ended = kit(*SMALL, env={"STRIKE": f"full:{number}"})
    assert ended.returncode == 5
    one_line(ended, "the disk is full; free some space and run again")
    left = {path.name for run in kit.runs() for path in run.iterdir()}
    assert left == (set() if place == "start" else {"journal.jsonl"})
    assert kit(*SMALL).returncode == 0
    (run,) = kit.sealed()
    assert kit.runs() == [run]
    assert verdicts(run) == verdicts(whole.run)
    assert kit("verify", str(run)).returncode == 0


@mounting
def test_a_disk_that_is_really_full(kit):
    """60 KiB take the journal's start and no more; then there is room."""
    script = kit.folder / "script"
    run = f"{sys.executable} -m rageval_kit {shlex.join(SMALL)} archive.root=disk/runs"
    script.write_text(
        "mkdir disk && mount -t tmpfs -o size=60k tmpfs disk\n"
        f"{run}; echo first $?\n"
        "mount -o remount,size=64m disk\n"
        f"{run}; echo second $?\n"
        f"{sys.executable} -m rageval_kit verify disk/runs/*; echo third $?\n"
    )
    ended = kit.shell("unshare -m bash script")
    assert "first 5" in ended.stdout, ended
    assert "second 0" in ended.stdout, ended
    assert "third 0" in ended.stdout, ended
    one_line(ended, "the disk is full")


@mounting
def test_a_read_only_disk_is_5_on_one_line(kit):
    ended = kit.shell(
        "unshare -m bash -c 'mkdir disk && mount -t tmpfs -o ro tmpfs disk && cd disk && "
        "{kit} +suite=smoke'"
    )
    assert ended.returncode == 5
    one_line(ended, "read-only", "choose another folder")


def test_an_archive_root_that_is_a_file_is_5_on_one_line(kit):
    (kit.folder / "reports").write_text("not a folder")
    ended = kit(*SMALL)
    assert ended.returncode == 5
    one_line(ended, "a file stands where a folder should be")


@pytest.fixture
def own_world(kit):
    shutil.copytree(tree("suites") / "worlds" / "demo", kit.folder / "world")
    for path in [kit.folder / "world", *(kit.folder / "world").rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    return kit.folder / "world"


OWN = (*SMALL, "corpus=snapshot", "corpus.path=world/snapshot")


def cut(path):
    path.write_bytes(path.read_bytes()[:-1000])


def garble(path):
    data = bytearray(path.read_bytes())
    data[5000:5010] = b"\x00\xff\xfe\x80\x00\x00\x00\x00\x00\x00"
    path.write_bytes(data)


def rename_title(path):
    path.write_bytes(path.read_bytes().replace(b'"title":"', b'"title":"X', 1))


@pytest.mark.parametrize(
    ("name", "harm", "said"),
    [
        ("snapshot/documents.jsonl", cut, "is not JSON"),
        ("snapshot/documents.jsonl", garble, "is not JSON"),
        ("snapshot/documents.jsonl", rename_title, "not the content its digest names"),
        ("snapshot/documents.jsonl", Path.unlink, "cannot be opened"),
        ("snapshot/snapshot.json", Path.unlink, "cannot be opened"),
        ("snapshot/snapshot.json", cut, "is not JSON"),
        ("directory.json", Path.unlink, "access.path="),
        ("directory.json", cut, "is not JSON"),
    ],
)
def test_a_harmed_input_is_2_on_one_line_and_nothing_is_written(kit, own_world, name, harm, said):
    harm(own_world / name)
    ended = kit(*OWN)
    assert ended.returncode == 2
    one_line(ended, name.removesuffix("/documents.jsonl"), said)
    assert not (kit.folder / "reports").exists()


@pytest.fixture
def nobodys():
    """A folder and a home of an account that is not root, wherever the tests are run from."""
    if not ROOT or not shutil.which("setpriv"):
        pytest.skip("becoming another account needs root and setpriv")
    with tempfile.TemporaryDirectory() as temporary:
        folder, home = Path(temporary) / "work", Path(temporary) / "home"
        for made in (folder, home):
            made.mkdir()
            os.chown(made, int(NOBODY), int(NOBODY))
        Path(temporary).chmod(0o755)
        command = Command(folder, home, account=NOBODY)
        if command("--version").returncode:
            pytest.skip("another account cannot read this checkout")
        yield command


def test_a_folder_that_may_not_be_written_is_5_on_one_line(nobodys):
    nobodys.folder.chmod(0o555)
    ended = nobodys(*SMALL)
    assert ended.returncode == 5
    one_line(ended, "permission denied")


def test_a_snapshot_that_may_not_be_read_is_2_on_one_line(nobodys):
    shutil.copytree(tree("suites") / "worlds" / "demo", nobodys.folder / "world")
    (nobodys.folder / "world/snapshot/documents.jsonl").chmod(0)
    ended = nobodys(*OWN)
    assert ended.returncode == 2
    one_line(ended, "documents.jsonl", "Permission denied")


def test_a_home_that_may_not_be_written_is_5_and_names_the_variable(nobodys):
    nobodys.home.chmod(0o555)
    ended = nobodys(*SMALL)
    assert ended.returncode == 5
    one_line(ended, "key", "RAGEVAL_KEY_FILE")


def test_a_key_that_may_not_be_read_is_5_on_one_line(nobodys):
    key = nobodys.home / "key"
    key.write_text("ab" * 32)
    key.chmod(0)
    ended = nobodys(*SMALL, env={"RAGEVAL_KEY_FILE": str(key)})
    assert ended.returncode == 5
    one_line(ended, str(key))


def test_an_account_without_a_home_is_told_where_to_put_the_key(nobodys):
    stranger = Command(nobodys.folder, nobodys.home, account="54321")
    ended = stranger(*SMALL, env={"HOME": None})
    assert ended.returncode == 2
    one_line(ended, "key file", "set RAGEVAL_KEY_FILE")
    doctor = stranger("doctor", env={"HOME": None})
    assert doctor.returncode == 5
    assert "Traceback" not in doctor.stderr


@pytest.mark.parametrize(("content", "mode"), [("ab" * 32, 0o644), ("short", 0o600), ("", 0o600)])
def test_a_bad_key_is_2_on_one_line(kit, content, mode):
    key = kit.folder / "key"
    key.write_text(content)
    key.chmod(mode)
    ended = kit(*SMALL, env={"RAGEVAL_KEY_FILE": str(key)})
    assert ended.returncode == 2
    one_line(ended, str(key))
    assert not (kit.folder / "reports").exists()


def test_a_key_inside_the_archive_is_2(kit):
    ended = kit(*SMALL, env={"RAGEVAL_KEY_FILE": "reports/archive/key"})
    assert ended.returncode == 2
    one_line(ended, "inside the archive")


@pytest.mark.parametrize("words", ["+suite=smoke", "verify x", "doctor"])
def test_a_folder_that_was_removed_under_us_is_one_line(kit, words):
    ended = kit.shell(f"mkdir gone && cd gone && rmdir ../gone && {{kit}} {words}")
    assert ended.returncode in (2, 5)
    assert "Traceback" not in ended.stderr
    assert len(ended.lines) <= 1 or words == "doctor"


def test_temporary_folders_that_are_full_hide_no_error(monkeypatch):
    def full(**_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    try:
        raise ValueError("no such index")  # noqa: TRY301 - an error with a trace is wanted
    except ValueError as error:
        said = door.crash_line(error, door.trace_log(error))
    assert "ValueError: no such index" in said
    assert "no trace could be kept (test_no_room.py:" in said


def test_a_run_needs_no_temporary_folder(kit):
    assert kit(*SMALL, "--json", env={"TMPDIR": str(kit.folder / "nowhere")}).returncode == 0


@pytest.mark.parametrize("name", ["summary.json", "verdicts.jsonl"])
def test_commands_on_a_harmed_archive_are_2_on_one_line(kit, undisturbed, name):
    shutil.copytree(undisturbed().run, kit.folder / "run")
    cut(kit.folder / "run" / name)
    ended = kit("replay", "run")
    assert ended.returncode == 2
    one_line(ended, name)
    told = kit("verify", "run", "--json")
    assert told.returncode == 1
    assert any(name in problem for problem in json.loads(told.stdout)["problems"])
