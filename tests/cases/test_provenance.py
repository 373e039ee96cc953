"""Cases of the area provenance: what is told of a run, and what never may be."""

import base64

import pytest

SECRET = "sk-test-000111222333"  # noqa: S105 - it opens nothing
OTHER = "tok-other-99887766"
SMALL = "suites.acl_negative.size.cases=3"


def bare(folder, secret):
    """The files in which the secret stands, as it is or in base64."""
    forms = (secret.encode(), base64.b64encode(secret.encode()).rstrip(b"="))
    return [path.name for path in folder.rglob("*")
            if path.is_file() and any(form in path.read_bytes() for form in forms)]  # fmt: skip


@pytest.fixture
def keyed(bench, worlds, others, monkeypatch):
    """The command line of a run whose key comes from the environment, a file and a word at once."""
    monkeypatch.setenv("JUDGE_API_KEY", SECRET)
    own = others.choice(
        "retriever/keyed.yaml",
        "kind: flaky\nmode: echo\nheaders:\n  Authorization: Bearer ${oc.env:JUDGE_API_KEY}\n"
        f"  X-Session-Token: {OTHER}\n",
    )
    words = bench.words(worlds.neighbours(), ["ACL-01", "CTL-01"], SMALL, "retriever=keyed")
    return ["-cd", str(own), *words, f"retriever.api_key={SECRET}"]


def test_bug_073_no_byte_of_the_archive_shows_a_secret_that_the_target_repeats(
    bench, command, keyed
):
    ended = command(*keyed, "--json")
    assert ended.returncode == 4, ended.stderr
    (folder,) = bench.archive.iterdir()
    assert (folder / "manifest.json").exists()
    for secret in (SECRET, OTHER):
        assert secret not in ended.stdout + ended.stderr
        assert bare(folder, secret) == []
    # The error is there, with stars and a short hash in the secret's place; so are the words.
    assert "401 invalid key ***" in (folder / "verdicts.jsonl").read_text(encoding="utf-8")
    assert "retriever.api_key=***" in (folder / "provenance.json").read_text(encoding="utf-8")
    assert "***" in (folder / "config.resolved.yaml").read_text(encoding="utf-8")
    assert command("verify", str(folder)).returncode == 0
    for shape in ("md", "html"):
        told = command("report", str(folder), "--format", shape)
        assert told.returncode == 0, told.stderr
        assert SECRET not in told.stdout


def test_bug_073_nor_does_the_journal_of_a_run_that_was_interrupted(bench, command, keyed):
    ended = command(*keyed, "retriever.mode=stop", "engine.block=1")
    assert ended.returncode == 130, ended.stderr
    (folder,) = bench.archive.iterdir()
    assert b"401 invalid key ***" in (folder / "journal.jsonl").read_bytes()
    for secret in (SECRET, OTHER):
        assert bare(folder, secret) == []
        assert secret not in ended.stderr


def test_bug_073_nor_does_what_a_crash_leaves(bench, command, keyed):
    ended = command(*keyed, "retriever.mode=value")
    assert ended.returncode == 5
    assert SECRET not in ended.stderr
    assert bare(bench.archive, SECRET) == []
