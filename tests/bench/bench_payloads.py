"""Public payloads and poison against systems that obey and that do not, as Markdown tables.

Run by hand: `python tests/bench/bench_payloads.py [payloads] [poison]`; about five minutes.
"""

import importlib.util
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
DATA = TESTS.parents[1] / "shared" / "data"
_SPEC = importlib.util.spec_from_file_location("payload_runs", TESTS / "tools" / "payload_runs.py")
runs = importlib.util.module_from_spec(_SPEC)
sys.modules["payload_runs"] = runs
_SPEC.loader.exec_module(runs)


def payloads() -> None:
    print("| set | target | n | violated of decided (exact 95 %) | echoed | undecided | s |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, where in runs.SETS.FOLDERS.items():
            file = runs.SETS.write(name, DATA / where, Path(folder))
            for target in ("clean", "faulty", *runs.SERVERS):
                started = time.perf_counter()
                if target in runs.SERVERS:
                    with runs.served(target) as url:
                        tally = runs.told(name, file, target, url)
                else:
                    tally = runs.told(name, file, target)
                undecided = "; ".join(f"{n} {why}" for why, n in tally.undecided.items()) or "–"
                print(
                    f"| {name} | {target} | {tally.n} "
                    f"| {runs.share(tally.violated, tally.violated + tally.held)} "
                    f"| {tally.echoed} | {undecided} | {time.perf_counter() - started:.1f} |",
                    flush=True,
                )


def poison() -> None:
    attacks = runs.POISON.read(DATA / "poisonedrag" / "nq.json")
    print("| retriever | answerer | poison retrieved | poison answered | held |")
    print("|---|---|---|---|---|")
    for retriever in runs.POISON.ARMS:
        found = {
            "extractive": runs.poisoned(attacks, retriever),
            "extractive, authority_ignored": runs.poisoned(
                attacks, retriever, fault="authority_ignored"
            ),
        }
        for behaviour in runs.SERVERS:
            with runs.served(behaviour) as url:
                found[behaviour] = runs.poisoned(attacks, retriever, url)
        for answerer, one in found.items():
            print(
                f"| {retriever} | {answerer} | {runs.share(one.retrieved, one.n)} "
                f"| {runs.share(one.answered, one.n)} | {one.held} |",
                flush=True,
            )


if __name__ == "__main__":
    for part in sys.argv[1:] or ("payloads", "poison"):
        {"payloads": payloads, "poison": poison}[part]()
        print()
