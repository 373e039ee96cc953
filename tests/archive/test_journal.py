"""The truth is what a reader sees after the writer was stopped at a byte: whole blocks only."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rageval_kit.archive.folder import RunFolder, find_resumable
from rageval_kit.archive.journal import JOURNAL, TORN, Journal
from rageval_kit.archive.masking import Mask
from rageval_kit.records.faults import InputError, KitError

WRITER = """
import sys
from pathlib import Path
from rageval_kit.archive.journal import Journal
path = Path(sys.argv[1])
journal = Journal.resume(path)[0] if path.exists() else Journal.start(
    path, run_id="r1", fingerprint="f1")
print("ready", flush=True)
for block in range(int(sys.argv[2])):
    if block not in journal.done:
        journal.append(block, [{"case_id": f"c{block}-{n}", "text": "很" * 300} for n in range(20)])
print("done", flush=True)
"""


@pytest.fixture(scope="module", autouse=True)
def synced():
    """Counts what is made to last, without waiting for the disk."""
    calls = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", calls.append)
        yield calls


def test_a_block_is_made_to_last_before_append_returns(tmp_path, synced):
    with Journal.start(tmp_path / JOURNAL, run_id="r1", fingerprint="f1") as journal:
        before = len(synced)
        journal.append(0, [{"n": 1}])
        assert len(synced) == before + 1


def written(path, blocks=3):
    """The bytes of a journal, and the offset at which each of its blocks ends."""
    ends = []
    with Journal.start(path, run_id="r1", fingerprint="f1") as journal:
        first = path.stat().st_size
        for block in range(blocks):
            journal.append(block, [{"case_id": f"c{block}", "读者": "李"}, {"n": block}])
            ends.append(path.stat().st_size)
    return path.read_bytes(), first, ends


def test_cut_at_any_byte_a_block_is_there_whole_or_not_at_all(tmp_path):
    data, first, ends = written(tmp_path / "whole.jsonl")
    for cut in range(first, len(data) + 1):
        path = tmp_path / JOURNAL
        path.write_bytes(data[:cut])
        (tmp_path / TORN).unlink(missing_ok=True)
        recovered = Journal.recover(path)
        whole = sum(end <= cut for end in ends)
        assert recovered.blocks == {
            block: [{"case_id": f"c{block}", "读者": "李"}, {"n": block}] for block in range(whole)
        }
        sound = ends[whole - 1] if whole else first
        assert recovered.torn == data[sound:cut]
        assert path.read_bytes() == data[:sound]
        assert (tmp_path / TORN).exists() == (cut > sound)


def test_any_changed_byte_of_a_block_drops_it_and_what_follows(tmp_path):
    data, first, ends = written(tmp_path / "whole.jsonl")
    path = tmp_path / JOURNAL
    for position in range(ends[0], ends[1], 3):
        path.write_bytes(data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :])
        assert set(Journal.recover(path).blocks) == {0}
    assert first < ends[0]


def test_torn_bytes_are_kept_beside_and_the_run_goes_on_after_them(tmp_path):
    """Five samples; the third was cut off: three are made again, none twice."""
    path = tmp_path / JOURNAL
    with Journal.start(path, run_id="r1", fingerprint="f1") as journal:
        for block in (1, 2):
            journal.append(block, [{"id": f"s{block}"}])
    with path.open("ab") as file:
        file.write(b'{"id":"s3","sco')
    journal, recovered = Journal.resume(path)
    assert recovered.torn == b'{"id":"s3","sco'
    assert (tmp_path / TORN).read_bytes() == b'{"id":"s3","sco'
    calls = [block for block in range(1, 6) if block not in journal.done]
    for block in calls:
        journal.append(block, [{"id": f"s{block}"}])
    journal.close()
    assert calls == [3, 4, 5]
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    assert [line["id"] for line in lines if "id" in line] == ["s1", "s2", "s3", "s4", "s5"]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.dictionaries(st.text(), st.text() | st.integers(0, 9)))))
def test_what_is_appended_is_recovered(tmp_path_factory, blocks):
    path = tmp_path_factory.mktemp("journal") / JOURNAL
    with Journal.start(path, run_id="r1", fingerprint="f1") as journal:
        for block, lines in enumerate(blocks):
            journal.append(block, lines)
    recovered = Journal.recover(path)
    assert recovered.blocks == dict(enumerate(blocks))
    assert (recovered.run_id, recovered.fingerprint, recovered.torn) == ("r1", "f1", b"")


def test_a_writer_killed_at_ten_random_moments_leaves_every_block_once(tmp_path):
    path = tmp_path / JOURNAL
    command = [sys.executable, "-c", WRITER, str(path), "400"]
    chance = random.Random(42)
    kills = 0
    for _ in range(10):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(chance.uniform(0.0, 0.03))
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += process.returncode == -signal.SIGKILL
    assert kills >= 5, "the writer is too fast for this test: give it more blocks"
    finished = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "done" in finished.stdout
    blocks = [
        json.loads(line)["block"] for line in path.read_bytes().splitlines() if b'"block"' in line
    ]
    assert sorted(blocks) == list(range(400))
    recovered = Journal.recover(path)
    assert recovered.torn == b""
    assert [line["case_id"] for line in recovered.blocks[399]] == [f"c399-{n}" for n in range(20)]


def test_a_block_is_not_appended_twice(tmp_path):
    with Journal.start(tmp_path / JOURNAL, run_id="r", fingerprint="f") as journal:
        journal.append(0, [])
        with pytest.raises(KitError, match="block 0 is in the journal already"):
            journal.append(0, [])


def test_half_a_block_is_taken_back_when_the_disk_fills(tmp_path, monkeypatch):
    path = tmp_path / JOURNAL
    journal = Journal.start(path, run_id="r", fingerprint="f")
    journal.append(0, [{"a": 1}])
    before = path.read_bytes()
    real, left = os.write, [40]

    def nearly_full(descriptor, data):
        if left[0] <= 0:
            raise OSError(28, "No space left on device")
        left[0] -= (count := real(descriptor, bytes(data)[: left[0]]))
        return count

    monkeypatch.setattr(os, "write", nearly_full)
    with pytest.raises(KitError, match="the disk is full") as failure:
        journal.append(1, [{"a": "x" * 100}])
    monkeypatch.undo()
    assert failure.value.exit_code == 5
    assert "\n" not in str(failure.value)
    assert path.read_bytes() == before
    journal.append(1, [{"a": 2}])
    journal.close()
    assert Journal.recover(path).blocks == {0: [{"a": 1}], 1: [{"a": 2}]}


def test_two_processes_cannot_write_one_run(tmp_path):
    with (
        Journal.start(tmp_path / JOURNAL, run_id="r", fingerprint="f"),
        pytest.raises(InputError, match="another process"),
    ):
        Journal.resume(tmp_path / JOURNAL)


def test_a_journal_without_its_first_line_is_refused(tmp_path):
    path = tmp_path / JOURNAL
    for data in (b"", b'{"journal":1,"run', b'{"block":1}\n', b"[" * 50_000 + b"\n"):
        path.write_bytes(data)
        with pytest.raises(InputError, match="is not a journal"):
            Journal.recover(path)


def test_secrets_and_nan_do_not_reach_the_journal(tmp_path):
    mask = Mask.of(["sk-test-000111222333"], b"k" * 32)
    with Journal.start(tmp_path / JOURNAL, run_id="r", fingerprint="f", mask=mask) as journal:
        journal.append(0, [{"error": "401 invalid key sk-test-000111222333"}])
        with pytest.raises(KitError, match=r"a\.b"):
            journal.append(1, [{"a": {"b": float("nan")}}])
    assert b"sk-test" not in (tmp_path / JOURNAL).read_bytes()
    assert (
        Journal.recover(tmp_path / JOURNAL).blocks[0][0]["error"].startswith("401 invalid key ***")
    )


def test_only_interrupted_runs_of_the_same_experiment_are_found(tmp_path):
    for run_id, mark in (("20260101T000000Z-a", "f1"), ("20260102T000000Z-a", "f1"),
                         ("20260103T000000Z-a", "f2"), ("20260104T000000Z-a", "f1")):  # fmt: skip
        RunFolder.create(tmp_path, run_id).start_journal(run_id=run_id, fingerprint=mark).close()
    RunFolder.create(tmp_path, "20260105T000000Z-a")
    (tmp_path / "20260104T000000Z-a" / "manifest.json").write_text("{}")
    found = [path.name for path in find_resumable(tmp_path, "f1")]
    assert found == ["20260102T000000Z-a", "20260101T000000Z-a"]
    assert len(find_resumable(tmp_path)) == 3
    running, _ = RunFolder.open_unsealed(tmp_path / "20260102T000000Z-a").resume_journal()
    assert [path.name for path in find_resumable(tmp_path, "f1")] == ["20260101T000000Z-a"]
    running.close()
    assert find_resumable(tmp_path / "none") == []
