"""Repositories are built by git itself; what must come out is worked by hand from their commits."""

import os
import subprocess
import threading
from datetime import UTC, datetime, timedelta

import pytest
from click.testing import CliRunner

from rageval_kit.cli import snapshot
from rageval_kit.corpus.snapshots import load_snapshot
from rageval_kit.intake import git_log
from rageval_kit.intake.build import build_snapshot
from rageval_kit.intake.history import History
from rageval_kit.intake.lineage import Clock
from rageval_kit.records.faults import InputError
from rageval_kit.records.world import State

TICK = timedelta(microseconds=1)
LONG = "\n\n".join(f"Paragraph {n} of the leave policy stays as it is." for n in range(12))


def day(number, month=1):
    return datetime(2024, month, number, tzinfo=UTC)


class Repository:
    """A repository under a person's hand; every commit says its date."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")

    def git(self, *words, at=None, author=None):
        quiet = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        who = {f"GIT_{r}_{p}": "x@x" for r in ("AUTHOR", "COMMITTER") for p in ("NAME", "EMAIL")}
        when = at.isoformat() if at else "2024-01-01T00:00:00Z"
        dates = {
            "GIT_COMMITTER_DATE": when,
            "GIT_AUTHOR_DATE": author.isoformat() if author else when,
        }
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            env={**os.environ, **quiet, **who, **dates},
            check=True,
            capture_output=True,
        )
        return done.stdout.decode().strip()

    def commit(self, at, files, author=None):
        """`files` maps a name to its text, its bytes, or None to take it away."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "x", at=at, author=author)
        return self.git("rev-parse", "HEAD")[:12]


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "repo")


def build(source, tmp_path, timezone="UTC", **said):
    history = History("acme", **said)
    return build_snapshot(source, tmp_path / "out", name="h", timezone=timezone, history=history)


def documents(repository, tmp_path, **said):
    return load_snapshot(build(repository.folder, tmp_path, **said).folder).documents


def texts(document):
    ordered = sorted(document.versions, key=lambda v: v.recorded_from)
    return [" ".join(chunk.text for chunk in version.chunks) for version in ordered]


def windows(document):
    ordered = sorted(document.versions, key=lambda v: v.recorded_from)
    return [(v.valid_from, v.valid_to) for v in ordered]


def told(built):
    return [str(warning.fault) for warning in built.report.warnings]


def test_every_commit_of_a_file_is_a_version_until_the_next(repository, tmp_path):
    first = repository.commit(day(1), {"leave.md": "Ten days.", "other.md": "x"})
    second = repository.commit(day(5), {"leave.md": "Fifteen days."})
    found = documents(repository, tmp_path)
    assert sorted(found) == ["leave.md", "other.md"]
    leave = found["leave.md"]
    assert [v.version_id for v in leave.versions] == sorted(
        [f"leave.md@{first}", f"leave.md@{second}"]
    )
    assert windows(leave) == [(day(1), day(5)), (day(5), None)]
    assert {v.recorded_from for v in leave.versions} == {day(1), day(5)}
    assert {v.recorded_to for v in leave.versions} == {None}
    assert leave.tenant_id == "acme"
    assert [str(entry.subject_kind) for entry in leave.entries] == ["everyone"]


def test_the_clock_is_the_last_record_and_the_same_history_is_the_same_snapshot(
    repository, tmp_path
):
    repository.commit(day(1), {"a.md": "one"})
    repository.commit(day(9), {"a.md": "two"})
    once = build(repository.folder, tmp_path)
    assert load_snapshot(once.folder).clock == day(9)
    assert build(repository.folder, tmp_path / "again").digest == once.digest


def test_renames_are_followed_also_when_the_text_changes_and_names_are_swapped(
    repository, tmp_path
):
    repository.commit(day(1), {"old.md": LONG})
    repository.commit(day(2), {"old.md": None, "new dir/更新.md": LONG + "\n\nOne more."})
    repository.commit(day(3), {"new dir/更新.md": None, "last.md": LONG + "\n\nOne more."})
    found = documents(repository, tmp_path)
    assert list(found) == ["last.md"]
    # the second rename changed no text, so it made no version
    assert windows(found["last.md"]) == [(day(1), day(2)), (day(2), None)]


def test_a_file_is_wanted_by_its_present_name_with_its_whole_history(repository, tmp_path):
    repository.commit(day(1), {"draft.rst": LONG, "notes.md": "no"})
    repository.commit(day(2), {"draft.rst": None, "Policies/deep/leave.md": LONG})
    found = documents(repository, tmp_path, paths=("Policies/*.md",))
    assert list(found) == ["Policies/deep/leave.md"]
    assert windows(found["Policies/deep/leave.md"]) == [(day(1), None)]


def test_a_deleted_file_ends_and_all_its_versions_are_withdrawn(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one", "b.md": "b"})
    repository.commit(day(2), {"a.md": "two"})
    repository.commit(day(3), {"a.md": None})
    found = documents(repository, tmp_path)["a.md"]
    assert windows(found) == [(day(1), day(2)), (day(2), day(3))]
    assert {v.states[-1] for v in found.versions} == {(day(3), State.WITHDRAWN)}


def test_a_file_that_comes_back_within_the_hour_continues_its_document(repository, tmp_path):
    later = day(2) + timedelta(hours=1)
    repository.commit(day(1), {"a.md": "one"})
    repository.commit(day(2), {"a.md": None})
    repository.commit(later, {"a.md": "one"})
    found = documents(repository, tmp_path)["a.md"]
    assert windows(found) == [(day(1), day(2)), (later, None)]
    by_start = sorted(found.versions, key=lambda v: v.recorded_from)
    assert [v.states[-1][1] for v in by_start] == [State.WITHDRAWN, State.PUBLISHED]


def test_another_file_that_takes_the_name_of_a_deleted_one_is_another_document(
    repository, tmp_path
):
    repository.commit(day(1), {"a.md": "short", "c.md": LONG})
    end = repository.commit(day(2), {"a.md": None})
    repository.commit(day(3), {"c.md": None, "a.md": LONG})
    found = documents(repository, tmp_path)
    assert sorted(found) == ["a.md", f"a.md@{end}"]
    assert windows(found["a.md"]) == [(day(1), None)]


def test_of_a_merge_the_main_line_counts(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one"})
    repository.git("checkout", "-q", "-b", "side")
    repository.commit(day(2), {"a.md": "two"})
    repository.commit(day(3), {"a.md": "three"})
    repository.git("checkout", "-q", "main")
    repository.commit(day(4), {"b.md": "b"})
    repository.git("merge", "-q", "--no-ff", "-m", "m", "side", at=day(5))
    found = documents(repository, tmp_path)["a.md"]
    assert windows(found) == [(day(1), day(5)), (day(5), None)]
    assert texts(found) == ["one", "three"]


def test_dates_that_run_backwards_or_stand_still_keep_the_order_of_the_commits(
    repository, tmp_path
):
    repository.commit(day(5), {"a.md": "one"})
    repository.commit(day(5), {"a.md": "two"})
    repository.commit(day(3), {"a.md": "three"})
    found = documents(repository, tmp_path)["a.md"]
    assert texts(found) == ["one", "two", "three"]
    assert windows(found) == [
        (day(5), day(5) + TICK),
        (day(5) + TICK, day(5) + 2 * TICK),
        (day(5) + 2 * TICK, None),
    ]


def test_the_author_s_date_counts_where_it_is_asked_for(repository, tmp_path):
    repository.commit(day(9), {"a.md": "one"}, author=day(2))
    assert windows(documents(repository, tmp_path)["a.md"]) == [(day(9), None)]
    by_author = documents(repository, tmp_path, clock=Clock.AUTHOR)
    assert windows(by_author["a.md"]) == [(day(2), None)]


def test_since_and_until_cut_the_history_and_keep_what_was_in_force(repository, tmp_path):
    for number in (1, 3, 5, 7):
        repository.commit(day(number), {"a.md": f"text {number}"})
    built = build(repository.folder, tmp_path, since="2024-01-04", until="2024-01-05")
    found = load_snapshot(built.folder)
    assert texts(found.documents["a.md"]) == ["text 3", "text 5"]
    assert found.clock == day(6)  # the whole of the fifth
    with pytest.raises(InputError, match=r"--timezone: time zone 'Mars/Base' is not known"):
        build(repository.folder, tmp_path, timezone="Mars/Base")
    with pytest.raises(InputError, match=r"--since: the time has no offset"):
        build(repository.folder, tmp_path, since="2024-01-04T00:00:00")


def test_a_text_is_in_force_from_the_day_it_states_and_the_older_one_until_then(
    repository, tmp_path
):
    repository.commit(day(1), {"a.md": "Effective date: 2023-06-01\n\nold"})
    repository.commit(day(10), {"a.md": "生效日期：2024年2月1日\n\nnew"})
    repository.commit(day(12), {"a.md": "生效日期：2024年2月1日\n\nnew, a slip mended"})
    repository.commit(day(1, 3), {"a.md": "Effective date: January 1, 2024\n\nlate"})
    pattern = r"^(?:effective date: |生效日期：)(?P<date>.{1,30})$"
    found = documents(repository, tmp_path, effective=pattern, timezone="Asia/Shanghai")["a.md"]
    starts = datetime(2024, 1, 31, 16, tzinfo=UTC)  # 1 February in Shanghai
    by_record = sorted(found.versions, key=lambda v: v.recorded_from)
    assert [(v.valid_from, v.valid_to, v.recorded_to) for v in by_record] == [
        # nothing stood in the repository before, so the first may say that it is older
        (datetime(2023, 5, 31, 16, tzinfo=UTC), starts, None),
        # replaced before its day came: never in force, held to be so for two days
        (starts, None, day(12)),
        (starts, day(1, 3), None),
        # a date before the commit cannot undo what was in force then
        (day(1, 3), None, None),
    ]


def test_what_states_no_date_or_no_day_counts_from_its_commit_and_is_told(repository, tmp_path):
    repository.commit(day(1), {"a.md": "Effective: soon", "b.md": "Effective: 2024-01-03"})
    built = build(repository.folder, tmp_path, effective="effective: (?P<date>.*)")
    found = load_snapshot(built.folder).documents
    assert windows(found["a.md"]) == [(day(1), None)]
    assert windows(found["b.md"]) == [(day(3), None)]
    assert [line for line in told(built) if "found 'soon', which is no date" in line]


def test_a_pattern_that_matches_nowhere_is_refused(repository, tmp_path):
    repository.commit(day(1), {"a.md": "text"})
    with pytest.raises(InputError, match="--effective-pattern: matches no version"):
        build(repository.folder, tmp_path, effective="efective: (?P<date>.*)")
    assert not (tmp_path / "out").exists()


def test_front_matter_gives_the_title_and_is_refused_where_it_states_rights(repository, tmp_path):
    repository.commit(day(1), {"a.md": "---\ntitle: 'Leave: rules'\ntopics:\n  - x\n---\nTen."})
    found = documents(repository, tmp_path)["a.md"].versions[0]
    assert found.title == "Leave: rules"
    assert [chunk.text for chunk in found.chunks] == ["Ten."]
    repository.commit(day(2), {"a.md": "---\nallow_users: [x]\n---\nTen."})
    repository.commit(day(3), {"b.md": "---\ndeny_users: [y]\n---\nTen."})
    with pytest.raises(InputError) as refused:
        build(repository.folder, tmp_path)
    assert [str(f).split(": ")[2] for f in refused.value.faults] == ["allow_users", "deny_users"]


def test_what_is_no_text_keeps_its_time_and_is_named(repository, tmp_path, monkeypatch):
    monkeypatch.setattr(git_log, "MAX_BLOB", 100)
    repository.commit(day(1), {"a.md": "one", "picture.md": b"\x89PNG\0\0", "big.txt": "x" * 101})
    repository.commit(day(2), {"a.md": "年假".encode("gb18030")})
    repository.commit(day(3), {"a.md": "\ufeffthree"})
    built = build(repository.folder, tmp_path)
    found = load_snapshot(built.folder).documents
    assert list(found) == ["a.md"]
    assert texts(found["a.md"]) == ["one", "", "three"]
    assert windows(found["a.md"])[1] == (day(2), day(3))
    assert len([line for line in told(built) if "is not UTF-8 text" in line]) == 2
    assert len([line for line in told(built) if "big.txt@" in line and "larger than" in line]) == 1


def test_links_and_submodules_are_named_and_left_out(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one"})
    (repository.folder / "link.md").symlink_to("/etc/passwd")
    inner = repository.git("rev-parse", "HEAD")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{inner},sub.md")
    repository.git("add", "link.md")
    repository.git("commit", "-q", "-m", "x", at=day(2))
    built = build(repository.folder, tmp_path)
    assert list(load_snapshot(built.folder).documents) == ["a.md"]
    assert [line.split("; ")[0] for line in told(built)] == [
        f"{repository.folder}: {name}: is a link or a submodule, and left out"
        for name in ("link.md", "sub.md")
    ]


def test_paths_of_odd_bytes_are_kept_apart_and_readable(repository, tmp_path):
    names = [b"\xff.md", b"tab\tand\nline.md", b"\x01.md", b":100644.md", "é.md".encode()]
    for name in names:
        with open(os.path.join(os.fsencode(repository.folder), name), "wb") as file:  # noqa: PTH118, PTH123
            file.write(name[:1] + b" " if name[0] < 128 else b"odd")
    repository.commit(day(1), {})
    found = documents(repository, tmp_path)
    assert sorted(found) == sorted(
        ["\\xff.md", "tab\tand\nline.md", "\x01.md", ":100644.md", "é.md"]
    )


def test_a_shallow_clone_says_so(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one"})
    repository.commit(day(2), {"a.md": "two"})
    clone = tmp_path / "clone"
    source = f"file://{repository.folder}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", source, str(clone)], check=True)
    built = build(clone, tmp_path)
    assert windows(load_snapshot(built.folder).documents["a.md"]) == [(day(2), None)]
    assert "is a shallow clone" in told(built)[0]


def test_a_bare_repository_and_a_work_tree_of_another_are_read_alike(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one"})
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"))
    digests = {
        build(folder, tmp_path).digest
        for folder in (repository.folder, tmp_path / "bare.git", tmp_path / "tree")
    }
    assert len(digests) == 1


def test_a_repository_that_grows_meanwhile_is_read_as_it_was_when_opened(repository):
    repository.commit(day(1), {"a.md": "one"})
    with git_log.open_log(repository.folder) as log:
        commits = log.commits()
        first = next(commits)
        repository.commit(day(2), {"a.md": "two"})
        repository.git("gc", "-q", "--prune=now")
        assert list(commits) == []
        assert log.blob(first.changes[0].blob) == b"one"


def test_commits_made_all_the_while_do_not_disturb_the_reading(repository, tmp_path):
    head = repository.commit(day(1), {"a.md": "one"})
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            repository.commit(day(2), {"a.md": f"more {number}"})

    writer = threading.Thread(target=write)
    writer.start()
    try:
        found = [documents(repository, tmp_path / str(n))["a.md"] for n in range(3)]
    finally:
        stop.set()
        writer.join()
    for document in found:
        assert f"a.md@{head}" in {version.version_id for version in document.versions}


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda _: None, "has no commit"),
        (lambda r: (r.folder / ".git" / "HEAD").write_text("nonsense"), "is a repository that git"),
        (lambda r: (r.folder / ".git").rename(r.folder / "git"), "is no git repository"),
    ],
    ids=["empty", "broken", "none"],
)
def test_what_is_no_history_is_refused_by_name(repository, tmp_path, make, problem):
    make(repository)
    with pytest.raises(InputError, match=problem):
        build(repository.folder, tmp_path)
    assert not (tmp_path / "out").exists()


def test_the_repository_around_a_folder_is_not_taken_for_it(repository, tmp_path):
    repository.commit(day(1), {"sub/a.md": "one"})
    with pytest.raises(InputError, match="is no git repository"):
        build(repository.folder / "sub", tmp_path)


def test_a_lost_object_is_named_and_nothing_is_written(repository, tmp_path):
    repository.commit(day(1), {"a.md": "one"})
    blob = repository.git("rev-parse", "HEAD:a.md")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(InputError, match=f"object {blob}: is missing"):
        build(repository.folder, tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_machine_without_git_is_told_so(repository, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="needs git, which is not on PATH"):
        build(repository.folder, tmp_path)


def test_nothing_of_a_hostile_repository_is_executed(repository, tmp_path, monkeypatch):
    """Every known door from a repository to a program, each of which would leave a mark."""
    mark = tmp_path / "executed"
    strike = tmp_path / "strike"
    strike.write_text(f"#!/bin/sh\necho $0 $* >> {mark}\ncat\n")
    strike.chmod(0o755)
    repository.commit(day(1), {"a.md": "one", "b.md": "secret"})
    (repository.folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil\n")
    repository.commit(day(2), {"a.md": "two"})
    git = repository.folder / ".git"
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    for hook in ("post-checkout", "pre-auto-gc", "reference-transaction", "post-index-change"):
        (git / "hooks").mkdir(exist_ok=True)
        (git / "hooks" / hook).write_bytes(strike.read_bytes())
        (git / "hooks" / hook).chmod(0o755)
    for key in (
        *("core.fsmonitor", "core.pager", "pager.log", "core.sshCommand", "core.editor"),
        *("core.alternateRefsCommand", "core.gitProxy", "core.askPass", "diff.external"),
        *("diff.evil.command", "diff.evil.textconv", "filter.evil.smudge", "filter.evil.clean"),
        *("filter.evil.process", "gpg.program", "credential.helper", "remote.origin.uploadpack"),
        *("uploadpack.packObjectsHook", "interactive.diffFilter", "trace2.eventTarget"),
    ):
        repository.git("config", key, str(strike))
    for key, value in {
        "alias.log": f"!{strike}",
        "alias.rev-parse": f"!{strike}",
        "alias.cat-file": f"!{strike}",
        "log.showSignature": "true",
        "core.hooksPath": str(git / "hooks"),
        "protocol.ext.allow": "always",
        "protocol.allow": "always",
        "remote.origin.url": f"ext::{strike}",
        "remote.origin.promisor": "true",
        "extensions.partialClone": "origin",
        "core.repositoryFormatVersion": "1",
    }.items():
        repository.git("config", key, value)
    lost = repository.git("rev-parse", "HEAD:b.md")
    mark.unlink(missing_ok=True)
    subprocess.run(["git", "log", "-p"], cwd=repository.folder, capture_output=True, check=False)
    assert mark.exists()  # the traps are set: plain git walks into them
    mark.unlink()
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS"):
        monkeypatch.setenv(name, str(strike))
    before = sorted(path.relative_to(git) for path in git.rglob("*"))
    found = documents(repository, tmp_path, paths=("a.md",))["a.md"]
    assert texts(found) == ["one", "two"]
    # an object that is not there would be fetched by the program that `remote` names
    (git / "objects" / lost[:2] / lost[2:]).unlink()
    with pytest.raises(InputError, match="is missing"):
        build(repository.folder, tmp_path)
    assert not mark.exists(), mark.read_text()
    left = [p for p in before if str(p) != f"objects/{lost[:2]}/{lost[2:]}"]
    assert sorted(path.relative_to(git) for path in git.rglob("*")) == left


def run(*words):
    return CliRunner().invoke(snapshot.command, [str(word) for word in words])


def test_the_command_reads_a_repository_and_says_what_it_left_out(repository, tmp_path):
    repository.commit(day(1), {"Policies/a.md": "In force: 2024-01-03", "Policies/b.md": b"\xff"})
    done = run(
        *(repository.folder, "-o", tmp_path / "out", "--tenant", "t", "--paths", "Policies/*.md"),
        *("--effective-pattern", "in force: (?P<date>.*)", "--timezone", "Asia/Shanghai"),
    )
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "out").iterdir()
    assert folder.name.startswith("repo-")
    found = load_snapshot(folder).documents
    assert windows(found["Policies/a.md"]) == [(datetime(2024, 1, 2, 16, tzinfo=UTC), None)]
    assert "b.md@" in done.output
    assert "is not UTF-8 text" in done.output


def test_a_checkout_without_a_tenant_is_a_folder_of_pages_as_before(repository, tmp_path):
    page = "---\ntenant: t\neveryone: yes\nvalid_from: 2024-01-01\n---\nnow"
    repository.commit(day(1), {"a.md": "old"})
    repository.commit(day(2), {"a.md": page})
    done = run(repository.folder, "-o", tmp_path / "out", "--clock", "2024-02-01")
    assert done.exit_code == 0, done.output
    (folder,) = (tmp_path / "out").iterdir()
    assert texts(load_snapshot(folder).documents["a.md"]) == ["now"]


def test_options_of_a_history_without_a_tenant_are_refused(repository, tmp_path):
    done = run(repository.folder, "-o", tmp_path / "out", "--paths", "*.md")
    assert done.exit_code == 2
    assert "--tenant" in done.output


def test_a_hostile_pattern_ends_the_command_with_its_name(repository, tmp_path):
    repository.commit(day(1), {"a.md": "a" * 60})
    said = ("-o", tmp_path / "out", "--tenant", "t", "--effective-pattern", "(?P<date>(a+)+)b")
    done = run(repository.folder, *said)
    assert isinstance(done.exception, InputError)
    assert "--effective-pattern: did not end within 3 seconds" in str(done.exception)
    assert not (tmp_path / "out").exists()
