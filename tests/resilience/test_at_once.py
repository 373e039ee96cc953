"""Several processes at once, a fixed name twice, and a sweep of which one run is killed."""

import json

from resilience_kit import SMALL, one_line, read, text, verdicts


def both(kit, *words):
    """Start two, wait for both."""
    processes = [kit.start(*words) for _ in range(2)]
    ended = []
    for process in processes:
        _, err = process.communicate(timeout=240)
        ended.append((process.returncode, text(err)))
    return ended


def test_two_runs_of_one_second_have_two_folders(kit):
    ended = both(kit, *SMALL)
    assert [code for code, _ in ended] == [0, 0], ended
    runs = kit.sealed()
    assert len(runs) == 2
    assert [kit("verify", str(run)).returncode for run in runs] == [0, 0]


def test_two_that_resume_at_once_resume_it_once_and_the_other_starts_its_own(kit, undisturbed):
    """Documented in docs/archive.md: nobody waits, nobody writes into another's folder."""
    whole = undisturbed()
    assert kit(*SMALL, env={"STRIKE": "kill:17"}).returncode == -9
    ended = both(kit, *SMALL)
    assert [code for code, _ in ended] == [0, 0], ended
    runs = kit.sealed()
    assert len(runs) == 2
    assert sorted(read(run / "provenance.json")["resumed"] for run in runs) == [False, True]
    for run in runs:
        assert verdicts(run) == verdicts(whole.run)
        assert kit("verify", str(run)).returncode == 0


def test_two_that_resume_one_by_name_at_once_leave_one_with_one_line(kit):
    assert kit(*SMALL, env={"STRIKE": "kill:17"}).returncode == -9
    (run,) = kit.runs()
    ended = both(kit, *SMALL, f"engine.resume={run.name}")
    assert sorted(code for code, _ in ended) == [0, 2], ended
    (lost,) = [said for code, said in ended if code == 2]
    assert len(lost.splitlines()) == 1
    assert kit.runs() == kit.sealed() == [run]


def test_two_of_one_name_at_once_leave_one_with_one_line(kit):
    ended = both(kit, *SMALL, "archive.run_id=release-1")
    assert sorted(code for code, _ in ended) == [0, 2], ended
    (lost,) = [said for code, said in ended if code == 2]
    assert len(lost.splitlines()) == 1
    assert "another process is writing this run" in lost or "immutable" in lost
    assert kit("verify", "release-1").returncode == 0


def test_bug_079_a_fixed_name_twice_is_refused_and_the_first_stays_as_it_is(kit):
    words = (*SMALL, "archive.root=out", "archive.run_id=fixed")
    assert kit(*words).returncode == 0
    before = {path: path.read_bytes() for path in kit.folder.rglob("*") if path.is_file()}
    again = kit(*words, "seed=8")
    assert again.returncode == 2
    one_line(again, "out/fixed", "archive exists and is immutable")
    assert {path: path.read_bytes() for path in kit.folder.rglob("*") if path.is_file()} == before
    assert kit("verify", "out/fixed").returncode == 0


def test_a_name_asked_for_is_the_name_given_whatever_lies_interrupted(kit):
    assert kit(*SMALL, env={"STRIKE": "kill:17"}).returncode == -9
    assert kit(*SMALL, "archive.run_id=release-1").returncode == 0
    assert [run.name for run in kit.sealed()] == ["release-1"]


def test_a_sweep_with_one_run_killed_is_gone_on_with(kit):
    """The second run dies in its journal; the same sweep runs 1 again, takes over 2, and runs 3."""
    words = ("-m", *SMALL, "seed=1,2,3", "--json")
    log = kit.folder / "calls"
    assert kit(*words, env={"STRIKE_LOG": str(log)}).returncode == 0
    first = len(kit.sealed())
    assert first == 3
    seals = [
        int(line.split()[0])
        for line in log.read_text().splitlines()
        if line.endswith(" unlink journal.jsonl")
    ]
    assert kit(*words, env={"STRIKE": f"kill:{seals[0] + 14}"}).returncode == -9
    assert len(kit.sealed()) == 4
    again = kit(*words)
    told = json.loads(again.stdout)
    assert again.returncode == told["exit_code"] == 0
    resumed = [
        read(kit.folder / run["folder"] / "provenance.json")["resumed"] for run in told["runs"]
    ]
    assert resumed == [False, True, False]
    assert kit.runs() == kit.sealed()
    assert [kit("verify", str(run)).returncode for run in kit.sealed()[-3:]] == [0, 0, 0]
