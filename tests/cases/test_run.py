"""Cases of the area run: folders of their own, nothing overwritten, nothing asked twice."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rageval_kit.archive.verify import verify
from rageval_kit.execute.names import case_name
from rageval_kit.run import open as opening

SMALL = "suites.acl_negative.size.cases=2"


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*") if path.is_file()}  # fmt: skip


def test_bug_078_two_processes_at_once_leave_two_whole_archives(bench, worlds, command):
    words = bench.words(worlds.office(), ["ACL-01", "CTL-01"], SMALL)
    running = [command.process(*words) for _ in range(2)]
    ended = [(process.communicate(timeout=120), process.returncode) for process in running]
    assert [code for _, code in ended] == [0, 0], ended
    folders = sorted(bench.archive.iterdir())
    assert len(folders) == 2
    assert [verify(folder).exit_code for folder in folders] == [0, 0]
    cases = [(folder / "cases.jsonl").read_bytes() for folder in folders]
    assert cases[0] == cases[1]


def test_bug_078_the_same_second_gives_two_run_ids(bench, worlds, monkeypatch):
    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 11, 30, 8, 15, tzinfo=tz or UTC)

    monkeypatch.setattr(opening, "datetime", Stopped)
    home = bench.write(worlds.office())
    ran = [bench.run(home, ["CTL-01"], cases=2) for _ in range(2)]
    assert [one.record.run_id[:16] for one in ran] == ["20261130T081500Z"] * 2
    assert len({one.record.run_id for one in ran}) == 2
    assert all(verify(one.folder).exit_code == 0 for one in ran)


def test_bug_079_a_second_run_into_a_fixed_folder_is_refused_and_the_first_stays(
    bench, worlds, command
):
    home = bench.write(worlds.office())
    first = command(*bench.words(home, ["CTL-01"], SMALL, "archive.run_id=fixed"))
    assert first.returncode == 0, first.stderr
    before = content(bench.archive)
    second = command(*bench.words(home, ["CTL-01"], SMALL, "archive.run_id=fixed", "seed=8"))
    assert second.returncode == 2
    assert "archive exists and is immutable" in second.stderr
    overwrite = command(
        *bench.words(home, ["CTL-01"], SMALL, "archive.run_id=fixed"), "--overwrite"
    )
    assert overwrite.returncode == 2
    assert content(bench.archive) == before
    assert command("verify", str(bench.archive / "fixed")).returncode == 0


def test_bug_080_a_sweep_tells_every_job_and_goes_on_after_a_failing_one(
    bench, worlds, command, others
):
    """Good, ValueError, a gate not met, KeyError: each is named, each crash has its trace."""
    home = bench.write(worlds.neighbours())
    own = others.choice("retriever/flaky.yaml", "kind: flaky\nmode: ok\n")
    words = bench.words(home, ["ACL-01", "CTL-01"], SMALL, "retriever=flaky")
    ended = command("-m", "-cd", str(own), *words, "retriever.mode=ok,value,empty,key")
    assert ended.returncode == 5, ended.stderr
    told = ended.stderr[ended.stderr.index("sweep:") :].splitlines()
    assert "mode=ok: pass (exit 0)" in told[1]
    assert "mode=value: error ValueError; trace: " in told[2]
    assert "mode=empty: evidence incomplete (exit 4)" in told[3]
    assert "mode=key: error KeyError; trace: " in told[4]
    for line, error in ((told[2], "ValueError: no such index"), (told[4], "KeyError: 'doc-1'")):
        log = line.partition("; trace: ")[2].partition(" (exit")[0]
        assert error in Path(log).read_text(encoding="utf-8")
        Path(log).unlink()
    sealed = [f for f in bench.archive.iterdir() if (f / "manifest.json").exists()]
    assert sorted(json.loads((f / "decision.json").read_bytes())["exit_code"] for f in sealed) == [
        0,
        4,
    ]


def test_bug_099_a_resumed_run_asks_what_is_left_and_keeps_the_torn_bytes(bench, worlds, targets):
    """Five cases in blocks of one; stopped in the third, whose line is half written."""
    home = bench.write(worlds.office())
    target = targets.by_tenant(lambda own, other, _: own == other)
    words = ("engine.block=1", "suites.acl_negative.size.cases=5")
    plan = bench.plan(home, ["CTL-01"], *words, target=target)
    from rageval_kit.run.prepare import prepare

    ids = [case.case_id for case in prepare(plan).cases]
    assert len(ids) == 5
    works = target.reply

    def stops(this, request):
        if request.script == case_name(ids[2]):
            raise KeyboardInterrupt
        return works(this, request)

    target.reply = stops
    with pytest.raises(KeyboardInterrupt):
        bench.run(home, ["CTL-01"], *words, target=target)
    (folder,) = bench.archive.iterdir()
    torn = b'{"block":2,"bytes":17,"lines":1,"sha256":"00"}\n{"case_id":"s3","sco'
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(torn)
    again = targets.by_tenant(lambda own, other, _: own == other)
    ran = bench.run(home, ["CTL-01"], *words, target=again)
    assert ran.folder == folder
    assert [verdict["case_id"] for verdict in ran.verdicts] == ids
    asked = list(dict.fromkeys(request.script for request in again.asked))
    assert asked[:3] == [case_name(case_id) for case_id in ids[2:]]
    assert set(asked[3:]) <= {case_name(ids[0])}, "beside the control that repeats the first block"
    assert ran.record.resumed == 2, "cases taken over"
    provenance = json.loads(ran.text("provenance.json"))
    assert provenance["resumed"] is True
    assert provenance["cases_taken_over"] == 2
    assert [session["torn_bytes"] for session in provenance["sessions"]] == [0, len(torn)]
    assert (folder / "journal.torn").read_bytes() == torn
    assert not (folder / "journal.jsonl").exists()
    assert verify(folder).exit_code == 0
    assert "2 cases taken over from an interrupted run" in ran.text("report.md")
