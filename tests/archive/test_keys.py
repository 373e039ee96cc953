"""HMAC vectors are those of RFC 4231; the rest is what the file system shows."""

import os
import stat
import subprocess
import sys

import pytest

from rageval_kit.archive.keys import key_path, keyed_hash, load_key
from rageval_kit.records.faults import InputError, KitError

MAKER = """
import sys
from pathlib import Path
from rageval_kit.archive.keys import load_key
print(load_key(Path(sys.argv[1])).hex())
"""


def test_keyed_hash_follows_rfc_4231():
    assert keyed_hash(b"\x0b" * 20, "Hi There") == (
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    )
    assert keyed_hash(b"Jefe", "what do ya want for nothing?") == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_the_key_file_is_where_it_is_named_or_in_the_config_folder(tmp_path):
    home = tmp_path / "home"
    assert key_path({"RAGEVAL_KEY_FILE": "/k"}, home).as_posix() == "/k"
    assert key_path({"XDG_CONFIG_HOME": "/c"}, home).as_posix() == "/c/rageval-kit/key"
    assert key_path({}, home) == home / ".config" / "rageval-kit" / "key"


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "key"
    first = load_key(path)
    assert load_key(path) == first
    assert len(first) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["key"]


def test_of_processes_that_start_together_one_makes_the_key_and_all_have_it(tmp_path):
    command = [sys.executable, "-c", MAKER, str(tmp_path / "key")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    keys = {process.communicate()[0] for process in running}
    assert len(keys) == 1
    assert all(process.returncode == 0 for process in running)


def test_a_key_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / "key"
    load_key(path)
    path.chmod(0o644)
    with pytest.raises(InputError, match="chmod 600"):
        load_key(path)


@pytest.mark.parametrize("content", [b"", b"abc", b"zz" * 32, b"\xff" * 64, b"ab" * 31])
def test_a_file_that_holds_no_key_is_refused(tmp_path, content):
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(InputError, match="does not hold a key"):
        load_key(path)


def test_a_key_inside_the_archive_is_refused(tmp_path):
    with pytest.raises(InputError, match="inside the archive"):
        load_key(tmp_path / "archive" / "r1" / "key", outside=tmp_path / "archive")


def test_a_pipe_or_a_folder_is_no_key(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(KitError):
            load_key(path)
