"""Sealed evidence is for those it names, and for nobody else; no plain text touches the disk."""

import json
import stat

import pyrage
import pytest

from rageval_kit.archive import sealing
from rageval_kit.archive.folder import RunFolder
from rageval_kit.archive.masking import Mask
from rageval_kit.records.faults import InputError

TEXT = "The offer to the third bidder is 4,120,000. 第三位投标人的报价。"


@pytest.fixture
def people(tmp_path):
    """(identity file, public key) of three people."""
    made = {}
    for name in ("ann", "bob", "eve"):
        made[name] = (tmp_path / name, sealing.generate(tmp_path / name))
    return made


@pytest.fixture
def folder(tmp_path):
    return RunFolder.create(tmp_path / "archive", "run")


def opened(folder, identity, out):
    return [
        json.loads(line)
        for path in sealing.unseal(folder.path, identity, out)
        for line in path.read_text("utf-8").splitlines()
    ]


def test_every_recipient_reads_it_and_nobody_else(folder, people, tmp_path):
    made = sealing.sealer([people["ann"][1], people["bob"][1]])
    assert made.put(folder, "block-000000", [{"text": TEXT}, {"text": "more"}]) == 2
    (path,) = (folder.path / "evidence").iterdir()
    data = path.read_bytes()
    assert data.startswith(b"age-encryption.org/v1\n")
    assert b"offer" not in data
    assert opened(folder, people["ann"][0], tmp_path / "a") == [{"text": TEXT}, {"text": "more"}]
    assert opened(folder, people["bob"][0], tmp_path / "b")[0] == {"text": TEXT}
    with pytest.raises(InputError, match="is not opened by this identity"):
        opened(folder, people["eve"][0], tmp_path / "c")
    assert not (tmp_path / "c").exists()
    for one in (tmp_path / "a").iterdir():
        assert stat.S_IMODE(one.stat().st_mode) == 0o600


def test_a_changed_file_is_refused_and_nothing_is_written(folder, people, tmp_path):
    made = sealing.sealer([people["ann"][1]])
    for number in range(2):
        made.put(folder, f"block-{number}", [{"text": TEXT}])
    path = folder.path / "evidence" / "block-1.jsonl.age"
    *kept, last = path.read_bytes()
    path.write_bytes(bytes([*kept, last ^ 1]))  # another byte, whichever it was
    with pytest.raises(InputError, match=r"block-1\.jsonl\.age: is not opened"):
        opened(folder, people["ann"][0], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_format_is_that_of_age_itself(folder, people):
    """Opened by the library of the format alone, with the key as its own tools write it."""
    sealing.sealer([people["ann"][1]]).put(folder, "block-0", [{"n": 1}])
    data = (folder.path / "evidence" / "block-0.jsonl.age").read_bytes()
    lines = people["ann"][0].read_text().splitlines()
    assert lines[0] == f"# public key: {people['ann'][1]}"
    key = pyrage.x25519.Identity.from_str(lines[1])
    assert pyrage.decrypt(data, [key]) == b'{"n":1}\n'


def test_secrets_are_masked_before_they_are_sealed_and_odd_text_is_kept(tmp_path, people):
    folder = RunFolder.create(tmp_path / "archive", "run", Mask.of(["correct-horse"], b"k" * 32))
    made = sealing.sealer([people["ann"][1]])
    made.put(folder, "block-0", [{"text": "pass correct-horse on", "odd": "\udc80 e\x00"}])
    (row,) = opened(folder, people["ann"][0], tmp_path / "out")
    assert row["text"].startswith("pass ***")
    assert row["odd"] == "\udc80 e\x00"


def test_a_block_that_has_nothing_now_takes_away_what_it_had(folder, people):
    made = sealing.sealer([people["ann"][1]])
    made.put(folder, "block-0", [{"n": 1}])
    assert made.put(folder, "block-0", []) == 0
    assert list((folder.path / "evidence").iterdir()) == []


def test_clearing_for_a_resumed_run_leaves_what_is_sealed(folder, people):
    sealing.sealer([people["ann"][1]]).put(folder, "block-0", [{"n": 1}])
    folder.write_text("evidence/README.txt", "words")
    folder.write_text("report.md", "half")
    folder.clear()
    assert [one.name for one in folder.path.iterdir()] == ["evidence"]
    assert [one.name for one in (folder.path / "evidence").iterdir()] == ["block-0.jsonl.age"]


def test_recipients_are_read_from_keys_and_files_and_all_faults_are_told(people, tmp_path):
    keys = [public for _, public in people.values()]
    path = tmp_path / "team.txt"
    path.write_text(f"# the team\n{keys[0]}\n\n{keys[1]}\n")
    assert sealing.sealer([str(path), keys[2]]).names == tuple(keys)
    assert sealing.sealer([]) is None
    secret = people["ann"][0].read_text().splitlines()[1]
    wrong = tmp_path / "wrong.txt"
    wrong.write_text(f"{keys[0]}\n{secret}\n")
    with pytest.raises(InputError) as caught:
        sealing.sealer([secret, "age1short", str(wrong), keys[0][:-1] + "q"])
    told = [str(fault) for fault in caught.value.faults]
    assert len(told) == 4
    assert "is a private key" in told[0]
    assert "wrong.txt:2: is no public key" in told[2]
    assert secret not in str(caught.value)


def test_an_ssh_key_is_a_recipient_and_an_identity(folder, tmp_path):
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private, public = serialization.PrivateFormat.OpenSSH, serialization.PublicFormat.OpenSSH
    pem, none = serialization.Encoding.PEM, serialization.NoEncryption()
    (tmp_path / "id").write_bytes(key.private_bytes(pem, private, none))
    line = key.public_key().public_bytes(serialization.Encoding.OpenSSH, public).decode()
    sealing.sealer([f"{line} ann@example.org"]).put(folder, "block-0", [{"n": 1}])
    assert opened(folder, tmp_path / "id", tmp_path / "out") == [{"n": 1}]


def test_plain_texts_are_not_put_into_the_archive_or_over_anything(folder, people, tmp_path):
    sealing.sealer([people["ann"][1]]).put(folder, "block-0", [{"n": 1}])
    full = tmp_path / "full"
    full.mkdir()
    (full / "x").write_text("mine")
    for out in (folder.path / "evidence", folder.path / "new", full):
        with pytest.raises(InputError, match=r"inside the archive|not a new folder"):
            sealing.unseal(folder.path, people["ann"][0], out)
    empty = RunFolder.create(tmp_path / "archive", "other")
    with pytest.raises(InputError, match="holds no sealed evidence"):
        sealing.unseal(empty.path, people["ann"][0], tmp_path / "out")
