"""What was done to a sealed archive is known here, because the test did it; verify must find it."""

import hashlib
import json
import os
import random
import shutil

import pytest
import rfc8785

from rageval_kit.archive import manifest as manifest_module
from rageval_kit.archive.folder import MANIFEST, RunFolder
from rageval_kit.archive.journal import JOURNAL, TORN
from rageval_kit.archive.manifest import root_digest, seal
from rageval_kit.archive.masking import Mask
from rageval_kit.archive.reading import Limits, read_file
from rageval_kit.archive.verify import verify
from rageval_kit.records.faults import InputError, KitError

RUN_ID = "20261130T081500Z-3f9a2c51"
ZEROS = "0" * 64


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def flip(path, position, bits):
    data = bytearray(path.read_bytes())
    data[position] ^= bits
    path.write_bytes(data)


def test_a_sealed_archive_is_intact(sealed):
    folder, root = sealed
    report = verify(folder, root)
    assert (report.ok, report.exit_code, report.problems) == (True, 0, ())
    assert (report.root_digest, report.run_id, report.records) == (root, RUN_ID, 17)
    assert report.files == len(files(folder)) - 1
    assert verify(folder, f"SHA256:{root.upper()}").ok


def test_anyone_with_sha256_can_check_the_manifest(sealed):
    folder, root = sealed
    data = (folder / MANIFEST).read_bytes()
    assert hashlib.sha256(data).hexdigest() == root == root_digest(folder)
    content = json.loads(data)
    digest = content.pop("digest")
    assert hashlib.sha256(rfc8785.dumps(content)).hexdigest() == digest
    for entry in content["files"]:
        body = (folder / entry["path"]).read_bytes()
        assert (len(body), hashlib.sha256(body).hexdigest()) == (entry["size"], entry["sha256"])
    listed = {entry["path"] for entry in content["files"]} | {MANIFEST}
    assert listed == {path.relative_to(folder).as_posix() for path in files(folder)}


def test_every_changed_byte_of_the_manifest_is_found(sealed):
    folder, _ = sealed
    path = folder / MANIFEST
    data = path.read_bytes()
    chance = random.Random(7)
    for position in range(len(data)):
        bits = chance.randrange(1, 256)
        flip(path, position, bits)
        report = verify(folder)
        assert report.exit_code == 1, (position, bits)
        assert any(MANIFEST in problem for problem in report.problems), (position, bits)
        path.write_bytes(data)


def test_two_hundred_random_changed_bytes_are_found_and_named(sealed):
    folder, root = sealed
    chance = random.Random(42)
    victims = [path for path in files(folder) if path.name != MANIFEST]
    for _ in range(200):
        path = chance.choice(victims)
        data = path.read_bytes()
        flip(path, chance.randrange(len(data)), chance.randrange(1, 256))
        report = verify(folder, root)
        assert report.exit_code == 1
        assert any(path.name in problem for problem in report.problems)
        path.write_bytes(data)
    assert verify(folder, root).ok


@pytest.mark.parametrize("name", [MANIFEST, "report.html", "cases.jsonl", "decision.json"])
@pytest.mark.parametrize(
    "change",
    [lambda d: d[:-1], lambda d: d + b"\n", lambda d: d + b" ", lambda d: d[:0], lambda d: d[:9]],
    ids=["last_byte_off", "newline_added", "blank_added", "emptied", "cut"],
)  # fmt: skip
def test_a_longer_or_shorter_file_is_found(sealed, name, change):
    folder, _ = sealed
    path = folder / name
    path.write_bytes(change(path.read_bytes()))
    report = verify(folder)
    assert report.exit_code == 1
    assert any(name in problem for problem in report.problems)


@pytest.mark.parametrize("old_new", [(b"\n", b"\r\n"), (b"\n", b"\r")], ids=["crlf", "cr"])
def test_converted_line_ends_are_told_from_other_changes_but_do_not_pass(sealed, old_new):
    folder, _ = sealed
    path = folder / "cases.jsonl"
    path.write_bytes(path.read_bytes().replace(*old_new))
    assert verify(folder).problems == ("cases.jsonl: bytes differ; only line endings changed",)
    assert verify(folder).exit_code == 1


def test_a_whole_checkout_with_converted_line_ends_is_diagnosed(sealed):
    folder, _ = sealed
    for path in files(folder):
        if path.suffix != ".parquet":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    report = verify(folder)
    assert report.exit_code == 1
    assert all(problem.endswith("only line endings changed") for problem in report.problems)
    assert len(report.problems) == 9


def test_a_file_that_had_windows_line_ends_is_diagnosed_too(tmp_path):
    run = RunFolder.create(tmp_path, RUN_ID)
    run.write_bytes("rows.csv", b"a,b\r\n1,2\r\n" * 200_000)
    seal(run, run_id=RUN_ID, fingerprint="f", previous=None)
    path = run.path / "rows.csv"
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    assert verify(run.path).problems == ("rows.csv: bytes differ; only line endings changed",)


def test_added_removed_and_renamed_files_are_named(sealed):
    folder, _ = sealed
    (folder / "evidence" / "extra.txt").write_text("x")
    (folder / "report.md").unlink()
    (folder / "config.yaml").rename(folder / "config.yml")
    report = verify(folder)
    assert report.exit_code == 1
    assert set(report.problems) == {
        "evidence/extra.txt: added, not in the manifest",
        "report.md: missing",
        "config.yaml: renamed to config.yml",
    }


def test_swapped_records_are_named_also_when_someone_mends_the_manifest(sealed):
    folder, _ = sealed
    path = folder / "cases.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3], lines[4] = lines[4], lines[3]
    path.write_bytes(b"".join(lines))
    assert any("record 3: stands out of order" in problem for problem in verify(folder).problems)

    sealed_before = manifest_module.parse((folder / MANIFEST).read_bytes())
    size, digest = manifest_module.hash_file(path)
    entries = tuple(
        manifest_module.FileEntry(e.path, size, digest, e.records, e.head)
        if e.path == "cases.jsonl"
        else e
        for e in sealed_before.files
    )
    mended = manifest_module.Manifest(
        sealed_before.format, 1, RUN_ID, sealed_before.fingerprint, None, entries
    )
    (folder / MANIFEST).write_bytes(manifest_module.render(mended))
    report = verify(folder)
    assert report.exit_code == 1
    assert any("record 3: stands out of order" in problem for problem in report.problems)


def test_one_who_rewrites_everything_is_caught_by_the_digest_kept_elsewhere(sealed, tmp_path):
    folder, root = sealed
    forged = RunFolder.create(tmp_path / "forged", RUN_ID)
    for path in files(folder):
        name = path.relative_to(folder).as_posix()
        if name not in {MANIFEST, ".gitattributes"}:
            forged.write_bytes(name, path.read_bytes().replace(b"Nothing", b"Something"))
    seal(forged, run_id=RUN_ID, fingerprint="f" * 64, previous=None)
    assert verify(forged.path).ok
    report = verify(forged.path, root)
    assert report.exit_code == 1
    assert "not the archive you know" in report.problems[0]


def test_links_and_pipes_are_refused_not_followed(sealed, tmp_path):
    folder, _ = sealed
    shutil.copy(folder / "report.md", tmp_path / "same.md")
    (folder / "report.md").unlink()
    (folder / "report.md").symlink_to(tmp_path / "same.md")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe")
    report = verify(folder)
    assert report.exit_code == 1
    assert set(report.problems) == {
        "report.md: is a symbolic link; archives hold plain files only",
        "loop: is a symbolic link; archives hold plain files only",
        "pipe: is not a plain file; archives hold plain files only",
    }
    with pytest.raises(InputError, match="symbolic link"):
        read_file(folder, "report.md")


@pytest.mark.usefixtures("sealed")
def test_what_is_no_archive_is_unreadable(tmp_path, unsealed):
    (tmp_path / "file").write_text("x")
    assert verify(tmp_path / "nowhere").exit_code == 2
    assert verify(tmp_path / "file").exit_code == 2
    assert verify(tmp_path).exit_code == 2
    (unsealed.path / MANIFEST).unlink()
    assert "not a sealed archive" in verify(unsealed.path).problems[0]


@pytest.mark.parametrize("expect", ["", "abc", "g" * 64, "0" * 63])
def test_an_expected_digest_that_is_none_is_a_usage_error(sealed, expect):
    assert verify(sealed[0], expect).exit_code == 2


def test_absurd_archives_are_refused_politely(sealed):
    folder, _ = sealed
    for limits, word in [
        (Limits(files=3), "too many files"),
        (Limits(total_bytes=100), "too large"),
        (Limits(manifest_bytes=10), "too many for a manifest"),
        (Limits(depth=1), "nested too deeply"),
    ]:
        report = verify(folder, limits=limits)
        assert report.exit_code == 2
        assert word in report.problems[0]
    with pytest.raises(InputError, match="too large"):
        read_file(folder, "report.md", Limits(file_bytes=5))
    (folder / MANIFEST).write_bytes(b"[" * 1_000_000)
    assert verify(folder).exit_code == 1


def test_a_file_grown_to_fifty_gigabytes_costs_nothing(sealed):
    folder, _ = sealed
    with (folder / "report.md").open("ab") as file:
        file.truncate(50 * 1024**3)  # sparse: no block is written
    report = verify(folder)
    assert report.problems == (f"report.md: bytes differ ({50 * 1024**3} bytes instead of 32)",)


def test_a_manifest_of_another_version_is_unreadable_not_broken(sealed):
    folder, _ = sealed
    now = manifest_module.parse((folder / MANIFEST).read_bytes())
    later = manifest_module.Manifest(now.format, 2, now.run_id, now.fingerprint, None, now.files)
    (folder / MANIFEST).write_bytes(manifest_module.render(later))
    report = verify(folder)
    assert report.exit_code == 2
    assert "version 2" in report.problems[0]


def test_the_archive_asks_git_to_leave_its_bytes_alone(sealed):
    assert b"* binary\n" in (sealed[0] / ".gitattributes").read_bytes()


def test_after_sealing_nothing_is_written(sealed):
    folder, root = sealed
    run = RunFolder(folder)
    for write in (
        lambda: run.write_text("late.txt", "x"),
        lambda: run.write_json("late.json", {}),
        lambda: run.write_chain("late.jsonl", []),
        lambda: run.start_journal(run_id="r", fingerprint="f"),
        lambda: seal(run, run_id=RUN_ID, fingerprint="f", previous=None),
        lambda: RunFolder.open_unsealed(folder),
        lambda: RunFolder.create(folder.parent, folder.name),
    ):
        with pytest.raises(InputError, match="archive exists and is immutable") as refusal:
            write()
        assert refusal.value.exit_code == 2
    assert verify(folder, root).ok


def test_sealing_removes_the_journal_and_keeps_what_was_torn(unsealed):
    with unsealed.start_journal(run_id=RUN_ID, fingerprint="f") as journal:
        journal.append(0, [{"a": 1}])
    with (unsealed.path / JOURNAL).open("ab") as file:
        file.write(b"torn")
    unsealed.resume_journal()[0].close()
    (unsealed.path / ".part-0123").write_bytes(b"half a file")
    seal(unsealed, run_id=RUN_ID, fingerprint="f", previous=ZEROS)
    report = verify(unsealed.path)
    assert report.ok
    assert report.previous == ZEROS
    assert not (unsealed.path / JOURNAL).exists()
    assert (unsealed.path / TORN).read_bytes() == b"torn"


def test_a_run_killed_between_manifest_and_journal_is_explained(unsealed):
    seal(unsealed, run_id=RUN_ID, fingerprint="f", previous=None)
    (unsealed.path / JOURNAL).write_bytes(b"{}\n")
    report = verify(unsealed.path)
    assert report.exit_code == 1
    assert "killed just after sealing" in report.problems[0]


def test_links_odd_names_and_names_equal_but_for_case_are_not_sealed(unsealed, tmp_path):
    (unsealed.path / "link").symlink_to(tmp_path)
    (unsealed.path / "REPORT.md").write_text("x")
    (unsealed.path / "a b?.txt").write_text("x")
    with pytest.raises(InputError) as refusal:
        seal(unsealed, run_id=RUN_ID, fingerprint="f", previous=None)
    text = str(refusal.value)
    assert "link: is a symbolic link" in text
    assert "differs from another name by case only" in text
    assert "a b?.txt" in text
    assert not (unsealed.path / MANIFEST).exists()


def test_a_broken_chain_or_a_secret_written_past_the_folder_is_not_sealed(unsealed):
    mask = Mask.of(["sk-test-000111222333"], b"k" * 32)
    masked = RunFolder(unsealed.path, mask)
    (unsealed.path / "scores.parquet").write_bytes(b"\0" * 1024**2 + b"sk-test-000111222333")
    with pytest.raises(KitError, match=r"scores\.parquet: a secret") as refusal:
        seal(masked, run_id=RUN_ID, fingerprint="f", previous=None)
    assert "000111" not in str(refusal.value)
    (unsealed.path / "scores.parquet").write_bytes(b"\0")
    flip(unsealed.path / "cases.jsonl", 40, 1)
    with pytest.raises(KitError, match=r"cases\.jsonl: record 0"):
        seal(masked, run_id=RUN_ID, fingerprint="f", previous=None)


@pytest.mark.parametrize("position", [0, 1024**2 - 7, 1024**2 + 5])
def test_a_secret_across_the_pieces_of_a_large_file_is_found(unsealed, position):
    secret = "sk-test-000111222333"  # noqa: S105 - made up for this test
    masked = RunFolder(unsealed.path, Mask.of([secret], b"k" * 32))
    data = bytearray(2 * 1024**2)
    data[position : position + len(secret)] = secret.encode()
    (unsealed.path / "scores.parquet").write_bytes(data)
    with pytest.raises(KitError, match="a secret"):
        seal(masked, run_id=RUN_ID, fingerprint="f", previous=None)
    assert not (unsealed.path / MANIFEST).exists()


def test_a_file_of_lines_that_end_in_a_hash_of_their_own_is_no_chain(unsealed):
    unsealed.write_text("hashes.jsonl", '{"doc":"d1","hash":"' + "a" * 64 + '"}\n')
    seal(unsealed, run_id=RUN_ID, fingerprint="f", previous=None)
    assert verify(unsealed.path).ok


def test_a_strangers_file_name_cannot_paint_the_terminal(sealed):
    folder, _ = sealed
    (folder / "报告.md").write_text("x")
    (folder / "\x1b[2J\u202egpj.exe").write_text("x")
    assert set(verify(folder).problems) == {
        "报告.md: added, not in the manifest",
        "'\\x1b[2J\\u202egpj.exe': added, not in the manifest",
    }


def test_a_link_to_the_release_before_must_be_a_digest(unsealed):
    with pytest.raises(InputError, match="previous release"):
        seal(unsealed, run_id=RUN_ID, fingerprint="f", previous="v1.2")


def test_equal_content_is_sealed_to_equal_bytes(tmp_path):
    roots = set()
    for place in ("a", "b"):
        run = RunFolder.create(tmp_path / place, RUN_ID)
        for name in ("x.txt", "y.txt") if place == "a" else ("y.txt", "x.txt"):
            run.write_text(name, name)
        roots.add(seal(run, run_id=RUN_ID, fingerprint="f", previous=None))
    assert len(roots) == 1


def test_a_folder_without_a_manifest_is_no_archive_before_it_is_walked(tmp_path, monkeypatch):
    def walked(*_):
        raise OSError("walked")

    monkeypatch.setattr("rageval_kit.archive.verify.walk", walked)
    (tmp_path / "socket").mkdir()
    report = verify(tmp_path)
    assert report.exit_code == 2
    assert report.problems == (f"{tmp_path}: there is no manifest.json (not a sealed archive)",)
    assert "cannot be read" in verify(tmp_path / "nowhere").problems[0]
