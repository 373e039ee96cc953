"""Who may write a run: one process, on a journal that is still there."""

import pytest

from rageval_kit.archive.folder import RunFolder
from rageval_kit.archive.journal import JOURNAL, TORN, InUseError, Journal, is_running
from rageval_kit.archive.manifest import seal
from rageval_kit.records.faults import InputError


def started(root, run_id="r1"):
    folder = RunFolder.create(root, run_id)
    return folder, folder.start_journal(run_id=run_id, fingerprint="f1")


def test_looking_whether_a_run_goes_on_is_no_use_of_it(tmp_path):
    folder, journal = started(tmp_path)
    assert is_running(folder.path / JOURNAL)
    journal.close()
    assert not is_running(folder.path / JOURNAL)
    folder.resume_journal()[0].close()


def test_what_another_process_writes_can_be_neither_resumed_nor_started(tmp_path):
    folder, journal = started(tmp_path)
    with journal:
        with pytest.raises(InUseError, match="another process is writing this run"):
            folder.resume_journal()
        with pytest.raises(InUseError, match="another process is writing this run"):
            RunFolder.create(tmp_path, "r1")


def test_a_run_that_was_sealed_meanwhile_gets_no_new_journal(tmp_path):
    folder, journal = started(tmp_path)
    with journal:
        seal(folder, run_id="r1", fingerprint="f1", previous=None)
    with pytest.raises(InUseError):
        Journal.resume(folder.path / JOURNAL)
    assert not (folder.path / JOURNAL).exists()


@pytest.mark.parametrize("head", [b"", b'{"fingerprint":"f1","jour'])
def test_a_journal_without_its_first_line_is_begun_again(tmp_path, head):
    (tmp_path / "r1").mkdir()
    (tmp_path / "r1" / JOURNAL).write_bytes(head)
    folder, journal = started(tmp_path)
    with journal:
        journal.append(0, [{"n": 1}])
    assert Journal.recover(folder.path / JOURNAL).blocks == {0: [{"n": 1}]}


def test_a_journal_with_its_first_line_is_not(tmp_path):
    folder, journal = started(tmp_path)
    journal.close()
    with pytest.raises(InputError, match="immutable"):
        RunFolder.create(tmp_path, "r1")
    with pytest.raises(InputError, match="a journal exists already"):
        folder.start_journal(run_id="r1", fingerprint="f1")


def test_clearing_leaves_what_a_resumed_run_needs_and_never_touches_a_sealed_one(tmp_path):
    folder, journal = started(tmp_path)
    with journal:
        (folder.path / TORN).write_bytes(b"torn")
        folder.write_text("evidence/README.txt", "words")
        folder.write_text("report.md", "half of it")
        folder.clear()
        assert {path.name for path in folder.path.iterdir()} == {JOURNAL, TORN}
        folder.write_text("report.md", "all of it")
        seal(folder, run_id="r1", fingerprint="f1", previous=None)
    folder.clear()
    assert (folder.path / "report.md").read_text(encoding="utf-8") == "all of it"
