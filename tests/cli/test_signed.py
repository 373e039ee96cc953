"""keygen, sign, verify --key and unseal as a person calls them."""

import json
from pathlib import Path

import pytest

from rageval_kit.cli.door import start

SMALL = (
    "+suite=smoke",
    "suites.smoke.families.ids=[ACL-01]",
    "suites.smoke.size.cases=2",
    "report.formats=[md]",
    "fault=cache_key_without_principal",
)


def call(*words):
    return start([str(word) for word in words])


@pytest.fixture
def run(tmp_path, capsys):
    """Keys of three people, and the folder of a run that the first signed and may read."""
    for name in ("ann", "bob"):
        assert call("keygen", tmp_path / name) == 0
    assert call("keygen", "--evidence", tmp_path / "id", "--json") == 0
    recipient = json.loads(capsys.readouterr().out)["recipient"]
    root = tmp_path / "archive"
    words = [f"archive.root={root}", f"archive.sign_key={tmp_path / 'ann'}"]
    assert call(*SMALL, *words, f"archive.recipients=[{recipient}]") == 3
    (folder,) = root.iterdir()
    capsys.readouterr()
    return folder


def test_who_signed_is_told_and_checked_by_key(run, tmp_path, capsys):
    assert call("verify", run) == 0
    assert ", not checked: give its --key" in capsys.readouterr().err
    assert call("verify", run, "--key", tmp_path / "ann.pub") == 0
    told = capsys.readouterr().err
    assert "signed by key id" in told
    assert "not checked" not in told
    assert call("verify", run, "--key", tmp_path / "bob.pub") == 1
    assert "no valid signature by key" in capsys.readouterr().err
    assert call("verify", run, "--key", tmp_path / "ann") == 2
    assert "give the public half" in capsys.readouterr().err
    assert call("sign", run, "--key", tmp_path / "bob") == 0
    assert call("verify", run, "--key", tmp_path / "ann.pub", "--key", tmp_path / "bob.pub") == 0
    capsys.readouterr()
    (run / "report.md").write_text("changed")
    assert call("verify", run, "--key", tmp_path / "ann.pub") == 1
    assert call("sign", run, "--key", tmp_path / "bob") == 2
    (run / "manifest.dsse.json").unlink()
    assert call("verify", run, "--key", tmp_path / "ann.pub") == 1
    assert "the archive is not signed" in capsys.readouterr().err


def test_a_recipient_reads_and_the_texts_go_into_no_archive(run, tmp_path, capsys):
    assert call("unseal", run, "-i", tmp_path / "id", "-o", run / "evidence" / "open") == 2
    assert call("unseal", run, "-i", tmp_path / "ann", "-o", tmp_path / "out") == 2
    assert not (tmp_path / "out").exists()
    capsys.readouterr()
    assert call("unseal", run, "-i", tmp_path / "id", "-o", tmp_path / "out", "--json") == 0
    (path,) = json.loads(capsys.readouterr().out)["files"]
    lines = Path(path).read_text("utf-8").splitlines()
    assert lines
    assert all(json.loads(line)["steps"] for line in lines)
    assert call("verify", run) == 0


def test_a_signed_run_is_replayed_without_the_key_it_was_signed_with(run, tmp_path):
    (tmp_path / "ann").unlink()
    assert call("replay", run) == 0


def test_no_key_is_written_over(tmp_path, capsys):
    assert call("keygen", tmp_path / "ann") == 0
    before = (tmp_path / "ann").read_bytes()
    assert call("keygen", tmp_path / "ann") == 2
    assert call("keygen", "--evidence", tmp_path / "ann") == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "ann").read_bytes() == before
