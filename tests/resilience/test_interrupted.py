"""Ctrl-C and SIGTERM at any moment: 130, one line on how to go on, and going on works."""

import signal
import time

import pytest
from resilience_kit import SMALL, interrupt, shown_ids, verdicts, wait_for

GOES_ON = "interrupted; the same command goes on where it stopped (engine.resume=auto)"


def journal_events(calls):
    """The writes of the journal, in order; the first is its head, the second its session."""
    reports = next(i for i, call in enumerate(calls) if call.endswith(" cases.jsonl"))
    return [int(call.split()[0]) for call in calls[:reports] if call.split()[1] == "write"]


@pytest.mark.parametrize(
    ("kind", "place"),
    [("int", "first_line"), ("term", "journal"), ("int", "reports"), ("term", "manifest_hash")],
)
def test_interrupted_it_says_so_on_one_line_and_goes_on(kit, undisturbed, kind, place):
    whole = undisturbed()
    named = [call.split(" ", 2)[2] for call in whole.calls]
    number = {
        "first_line": journal_events(whole.calls)[0],
        "journal": journal_events(whole.calls)[4],
        "reports": named.index("report.md"),
        "manifest_hash": named.index(".gitattributes"),
    }[place]
    ended = kit(*SMALL, env={"STRIKE": f"{kind}:{number}"})
    assert (ended.returncode, ended.stderr) == (130, GOES_ON + "\n")
    # What is left is the journal: nobody takes a report without its manifest for one.
    assert {path.name for run in kit.runs() for path in run.iterdir()} <= {"journal.jsonl"}
    again = kit(*SMALL)
    assert again.returncode == 0, again.stderr
    (run,) = kit.sealed()
    assert verdicts(run) == verdicts(whole.run)
    assert shown_ids(run) == shown_ids(whole.run)
    assert kit("verify", str(run)).returncode == 0


@pytest.mark.parametrize("at", ["link manifest.json", "unlink journal.jsonl"])
def test_from_the_manifest_on_it_is_too_late_to_interrupt(kit, undisturbed, at):
    calls = undisturbed().calls
    number = next(int(call.split()[0]) for call in calls if call.endswith(at))
    ended = kit(*SMALL, env={"STRIKE": f"int:{number}"})
    assert ended.returncode == 0, ended.stderr
    (run,) = kit.sealed()
    assert kit("verify", str(run)).returncode == 0


def test_interrupted_while_it_starts_it_shows_no_trace(kit):
    """At five moments of the first second, most of them in the midst of an import."""
    for moment in range(5):
        process = kit.start(*SMALL)
        time.sleep(0.12 + 0.15 * moment)
        if process.poll() is not None:
            process.communicate()
            continue
        ended = interrupt(process)
        # Before our first line runs, the interpreter itself dies of the signal.
        assert ended.returncode in (130, -signal.SIGINT), ended.stderr
        if ended.returncode == 130:
            assert "Traceback" not in ended.stderr, (moment, ended.stderr)
            assert len(ended.lines) <= 1, ended.stderr


def test_an_import_is_interrupted_and_leaves_nothing(kit):
    source = kit.folder / "pages"
    source.mkdir()
    head = "---\ntenant: acme\nallow_users: []\n---\n"
    (source / "page.md").write_text(f"{head}# Page\n\nwords\n", encoding="utf-8")
    words = ("snapshot", "pages", "--name", "own", "--clock", "2026-03-01T00:00:00Z")
    log = kit.folder / "calls"
    assert kit(*words, "-o", "whole", env={"STRIKE_LOG": str(log)}).returncode == 0
    calls = log.read_text().splitlines()
    renamed = next(int(call.split()[0]) for call in calls if call.split()[1] == "rename")
    ended = kit(*words, "-o", "half", env={"STRIKE": f"int:{renamed}"})
    assert (ended.returncode, ended.lines) == (130, ["interrupted"])
    assert list((kit.folder / "half").iterdir()) == []


def test_a_sweep_stops_at_once_and_tells_what_has_ended(kit, undisturbed):
    undisturbed()
    process = kit.start("-m", *SMALL, "seed=1,2,3")
    wait_for(lambda: len(kit.runs()) == 2, process)
    ended = interrupt(process)
    assert ended.returncode == 130, ended.stderr
    assert "sweep:" in ended.stderr
    assert len(kit.sealed()) == 1
