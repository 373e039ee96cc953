"""Does a run killed at random moments come to the same as one that nothing disturbed?

    python tests/bench/kill_anywhere.py [--times 10] [--seed 1] [--every] [WORDS…]

Each round starts the run of record in a folder of its own, kills it (-9) at a random moment of its
life, up to twice, and then lets the same command finish it: every case once, equal verdicts, an
archive that verifies. `--every` kills at each single dealing with the disk in turn instead (minutes
with a small suite, given as WORDS). Exit code 1 if any round differs.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "resilience"))

from resilience_kit import Command, chain, read, shown_ids, verdicts

from rageval_kit.archive.keys import load_key

WORDS = ("+suite=acl_negative", "retriever=hybrid", "fault=cache_key_without_principal")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("words", nargs="*", default=list(WORDS))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        return rounds(Path(temporary), asked)


def rounds(folder, asked):
    home = folder / "home"
    home.mkdir()
    shutil.copy(
        Path(__file__).resolve().parent.parent / "resilience" / "strike.py",
        home / "sitecustomize.py",
    )
    load_key(home / ".config" / "rageval-kit" / "key")
    whole = command(folder / "whole", home)
    began = time.monotonic()
    log = folder / "calls"
    ended = whole(*asked.words, env={"STRIKE_LOG": str(log)})
    lasted = time.monotonic() - began
    (run,) = whole.sealed()
    truth = (ended.returncode, verdicts(run), shown_ids(run))
    calls = log.read_text().splitlines()
    print(
        f"undisturbed: {len(truth[1])} cases, {lasted:.1f} s, {len(calls)} dealings with the disk"
    )
    chance = random.Random(asked.seed)
    wrong = 0
    for number in range(len(calls) if asked.every else asked.times):
        kit = command(folder / f"round-{number}", home)
        if asked.every:
            places = [calls[number]]
            kit(*asked.words, env={"STRIKE": f"kill:{number}"})
        else:
            moments = sorted(chance.uniform(0.1, 1.0) * lasted for _ in range(chance.randint(1, 2)))
            places = [killed_after(kit, asked.words, moment) for moment in moments]
        said = judged(kit, asked.words, truth)
        wrong += said[0]
        print(f"{number + 1:4}  {', '.join(places)}: {said[1]}", flush=True)
        shutil.rmtree(kit.folder)
    print(f"{wrong} rounds differ" if wrong else "every round came to the same")
    return 1 if wrong else 0


def command(folder, home):
    folder.mkdir()
    return Command(folder, home)


def killed_after(kit, words, seconds):
    process = kit.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.kill()
    process.wait()
    left = Counter(path.name for run in kit.runs() for path in run.iterdir())
    what = "sealed" if left["manifest.json"] else "writing" if len(left) > 1 else "journal"
    return f"{seconds:.1f} s ({what if left else 'nothing yet'})"


def judged(kit, words, truth):
    """(differs, in words) of the same command after the kill."""
    finished = kit.sealed()
    ended = kit(*words)
    fresh = [run for run in kit.sealed() if run not in finished]
    if len(fresh) != 1 or ended.returncode != truth[0]:
        return True, f"exit {ended.returncode}, {len(fresh)} runs: {ended.stderr[-300:]}"
    (run,) = fresh
    told = read(run / "provenance.json")
    ids = [line["case_id"] for line in chain(run / "cases.jsonl")]
    faults = [
        *(["a case twice"] if len(ids) != len(set(ids)) else []),
        *(["other verdicts"] if verdicts(run) != truth[1] else []),
        *(["other ids shown"] if shown_ids(run) != truth[2] else []),
        *(["does not verify"] if kit("verify", str(run)).returncode else []),
        *(["something half written"] if list(run.rglob(".part-*")) else []),
    ]
    how = f"{told['cases_taken_over']} cases taken over" if told["resumed"] else "begun afresh"
    return bool(faults), f"{how}; {', '.join(faults) or 'equal'}"


if __name__ == "__main__":
    sys.exit(main())
