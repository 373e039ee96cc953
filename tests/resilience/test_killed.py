"""kill -9 anywhere: the same command goes on, every case once, with the verdicts of a whole run."""

import random

import pytest
from resilience_kit import FAULT, SMALL, chain, read, shown_ids, verdicts

SEED = 20261130


def moments(calls):
    """One seeded place in each part of a run, by its dealings with the disk."""
    chance = random.Random(SEED)
    named = [call.split(" ", 2)[2] for call in calls]
    reports = next(i for i, name in enumerate(named) if name == "cases.jsonl")
    manifest = named.index("manifest.json")
    return {
        "in_the_journal": chance.randrange(10, reports - 3),
        "in_the_reports": chance.randrange(reports + 1, manifest - 3),
        "just_before_the_manifest": manifest,
        "just_after_the_manifest": manifest + 1,
    }


def check_resumed(kit, whole, words):
    """After a kill: what is there, and what the same command makes of it."""
    before = kit.runs()
    finished = kit.sealed()
    ended = kit(*SMALL, *words)
    assert ended.returncode == whole.ended.returncode, ended.stderr
    (run,) = [one for one in kit.sealed() if one not in finished]
    assert verdicts(run) == verdicts(whole.run)
    assert shown_ids(run) == shown_ids(whole.run)
    assert not (run / "journal.jsonl").exists()
    assert not list(run.glob(".part-*"))
    assert kit("verify", str(run)).returncode == 0
    ids = [line["case_id"] for line in chain(run / "cases.jsonl")]
    assert len(ids) == len(set(ids)) > 0
    return run, run in before


@pytest.mark.parametrize("words", [(), (FAULT,)], ids=["clean", "order_dependent"])
@pytest.mark.parametrize("moment", ["in_the_journal", "in_the_reports"])
def test_a_killed_run_goes_on_where_it_stopped(kit, undisturbed, words, moment):
    whole = undisturbed(*words)
    number = moments(whole.calls)[moment]
    assert kit(*SMALL, *words, env={"STRIKE": f"kill:{number}"}).returncode == -9
    run, resumed = check_resumed(kit, whole, words)
    assert resumed
    told = read(run / "provenance.json")
    assert told["resumed"] is True
    assert len(told["sessions"]) == 2
    taken = told["cases_taken_over"]
    assert 0 < taken <= len(verdicts(run))
    assert f"{taken} cases taken over from an interrupted run" in (run / "report.md").read_text()


def test_killed_before_the_manifest_it_is_sealed_by_the_same_command(kit, undisturbed):
    whole = undisturbed()
    number = moments(whole.calls)["just_before_the_manifest"]
    assert kit(*SMALL, env={"STRIKE": f"kill:{number}"}).returncode == -9
    assert kit.sealed() == []
    run, resumed = check_resumed(kit, whole, ())
    assert resumed
    assert read(run / "provenance.json")["cases_taken_over"] == len(verdicts(run))


def test_killed_between_seal_and_journal_verify_explains_and_the_next_run_is_its_own(
    kit, undisturbed
):
    whole = undisturbed()
    removal = next(
        int(call.split()[0]) for call in whole.calls if call.endswith(" unlink journal.jsonl")
    )
    assert kit(*SMALL, env={"STRIKE": f"kill:{removal}"}).returncode == -9
    (first,) = kit.sealed()
    told = kit("verify", str(first))
    assert told.returncode == 1
    assert "left by a run killed just after sealing? then delete it" in told.stderr
    (first / "journal.jsonl").unlink()
    assert kit("verify", str(first)).returncode == 0
    _, resumed = check_resumed(kit, whole, ())
    assert not resumed


def test_what_was_torn_off_is_kept_and_told(kit, undisturbed):
    """BUG-099: the torn bytes lie beside the records, and the provenance counts them."""
    whole = undisturbed()
    write = [call for call in whole.calls if " write " in call][6]
    assert kit(*SMALL, env={"STRIKE": f"kill:{write.split()[0]}"}).returncode == -9
    run, _ = check_resumed(kit, whole, ())
    torn = (run / "journal.torn").read_bytes()
    assert [one["torn_bytes"] for one in read(run / "provenance.json")["sessions"]] == [
        0,
        len(torn),
    ]
    assert torn


def test_killed_three_times_it_still_has_every_case_once(kit, undisturbed):
    whole = undisturbed(FAULT)
    for number in (14, 12, 16):
        assert kit(*SMALL, FAULT, env={"STRIKE": f"kill:{number}"}).returncode == -9
    run, _ = check_resumed(kit, whole, (FAULT,))
    assert len(read(run / "provenance.json")["sessions"]) == 4


def test_a_named_run_killed_before_its_first_line_can_be_started_again(kit):
    words = (*SMALL, "archive.run_id=release-1")
    # 0: the folder of the run; then its journal is opened, and half of the first line written.
    log = kit.folder / "calls"
    assert kit(*words, env={"STRIKE": "kill:9999", "STRIKE_LOG": str(log)}).returncode == 0
    first = next(
        line.split()[0] for line in log.read_text().splitlines() if line.split()[1] == "write"
    )
    words = (*SMALL, "archive.run_id=release-2")
    assert kit(*words, env={"STRIKE": f"kill:{first}"}).returncode == -9
    assert kit(*words).returncode == 0
    assert kit("verify", "release-2").returncode == 0
