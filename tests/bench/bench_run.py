"""How long, and how much memory, does a run take: start-up, cases, generation, report?

Run by hand: `python tests/bench/bench_run.py [PART]…`, where a part is startup, newcomer, run,
generate or report; all by default.
Each figure is of one process of its own; the share of the kit is what the target did not take.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

COMMAND = [sys.executable, "-m", "rageval_kit"]
DOCUMENTS, CHUNKS_EACH, PEOPLE = 5_000, 4, 200


def timed(words: list[str], folder: Path, repeats: int = 5) -> tuple[float, float]:
    """Fastest and median wall seconds of a command."""
    walls = []
    for _ in range(repeats):
        started = time.perf_counter()
        subprocess.run([*COMMAND, *words], cwd=folder, check=True, capture_output=True)
        walls.append(time.perf_counter() - started)
    return min(walls), sorted(walls)[len(walls) // 2]


def startup(folder: Path) -> None:
    for words in (["-h"], ["--cfg", "job"]):
        low, middle = timed(words, folder)
        print(f"{' '.join(words):10} fastest {low:.3f} s, median {middle:.3f} s of 5")


def newcomer(folder: Path) -> None:
    low, middle = timed(["+suite=acl_negative", "retriever=hybrid"], folder, repeats=3)
    print(f"newcomer's run: fastest {low:.2f} s, median {middle:.2f} s of 3")


def large_world(seed: int = 11):
    """20,000 passages in Chinese and English over an invented vocabulary, with an organisation."""
    from rageval_kit.generate.organisation import organise
    from rageval_kit.records.streams import python_stream
    from rageval_kit.records.world import Chunk, Document, State, Tenant, Version, World

    pick = python_stream(seed, "bench")
    latin = [
        "".join(pick.choices("bcdfghklmnprstvz", k=2)) + pick.choice("aeiou") for _ in range(400)
    ]
    words = [pick.choice(latin) + pick.choice(latin) for _ in range(12_000)]
    signs = [chr(0x4E00 + i) for i in range(3000)]
    clock = datetime(2026, 10, 27, 1, tzinfo=UTC)
    since = clock - timedelta(days=300)

    def sentence(*, chinese: bool) -> str:
        if chinese:
            return "".join(pick.choices(signs, k=24)) + "。"
        return " ".join(pick.choices(words, k=12)).capitalize() + ". "

    documents = {}
    for n in range(DOCUMENTS):
        document_id, chinese = f"doc-{n:05d}", n % 2 == 1
        chunks = tuple(
            Chunk(f"{document_id}@1#{c}", "".join(sentence(chinese=chinese) for _ in range(4)))
            for c in range(CHUNKS_EACH)
        )
        title = sentence(chinese=chinese).rstrip(". 。")[:60]
        version = Version(
            f"{document_id}@1", title, chunks, valid_from=since, states=((since, State.PUBLISHED),)
        )
        documents[document_id] = Document(document_id, "t", (version,))
    bare = World(documents, {}, {"t": Tenant("t")}, {}, {}, {}, {}, {}, clock, name="bench")
    return organise(bare, seed=seed, tenants=3, departments=8, principals=PEOPLE)


def plan_of(folder: Path, cases: int):
    from rageval_kit.build import compose
    from rageval_kit.corpus.snapshots import write_directory, write_snapshot

    snapshot, people = folder / "snapshot", folder / "directory.json"
    if not snapshot.exists():
        world = large_world()
        write_snapshot(world, snapshot)
        write_directory(world, people)
    return compose(
        "+suite=acl_negative",
        "retriever=hybrid",
        "corpus=snapshot",
        f"corpus.path={snapshot}",
        "access=directory",
        f"access.path={people}",
        f"suites.acl_negative.size.cases={cases}",
        f"archive.root={folder / 'archive'}",
        "engine.resume=never",
    )


def run(folder: Path) -> None:
    from rageval_kit.cli.progress import Quiet
    from rageval_kit.run.evaluate import evaluate

    started = time.perf_counter()
    record = evaluate(plan_of(folder, int(os.environ.get("BENCH_SIZE", "650"))), Quiet())
    wall = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    kit = 1 - record.target_s / wall
    print(
        f"run: {record.cases_executed:,} cases on {record.chunks:,} passages, "
        f"{record.principals} principals: {wall:.1f} s, "
        f"{record.cases_executed / wall:.0f} cases/s, "
        f"peak {peak:.0f} MiB, share of the kit {kit:.1%} ({record.decision.outcome})"
    )


def generate(folder: Path) -> None:
    from rageval_kit.run.prepare import prepare

    started = time.perf_counter()
    prepared = prepare(plan_of(folder, 9000))
    wall = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"generation: {len(prepared.cases):,} cases in {wall:.1f} s, peak {peak:.0f} MiB")


def report(folder: Path) -> None:
    """100,000 verdicts, a tenth of them violated, from the record of a small real run."""
    from rageval_kit.build import compose
    from rageval_kit.cli.progress import Quiet
    from rageval_kit.records.verdicts import Outcome, Verdict
    from rageval_kit.report.files import write_reports
    from rageval_kit.report.render import render
    from rageval_kit.run.evaluate import evaluate

    plan = compose("+suite=smoke", "fault=no_tenant_check", f"archive.root={folder / 'small'}")
    record = evaluate(plan, Quiet())
    told = record.findings * (10_000 // len(record.findings) + 1)
    large = replace(record, findings=told[:1000], findings_total=10_000)
    verdicts = [
        Verdict(f"ACL-01-{n:06d}", "ACL-01", Outcome.VIOLATED if n % 10 == 0 else Outcome.HELD)
        for n in range(100_000)
    ]
    sizes: dict[str, int] = {}
    started = time.perf_counter()
    page = render(large, "html", "en")
    html_s = time.perf_counter() - started
    started = time.perf_counter()
    write_reports(
        large, lambda name, data: sizes.__setitem__(name, len(data)), verdict_rows=verdicts
    )
    print(
        f"report of 100,000 verdicts: HTML {len(page.encode()) / 1e6:.2f} MB in {html_s:.2f} s, "
        f"all files in {time.perf_counter() - started:.2f} s, {sum(sizes.values()) / 1e6:.1f} MB"
    )


PARTS = {
    "startup": startup,
    "newcomer": newcomer,
    "run": run,
    "generate": generate,
    "report": report,
}

if __name__ == "__main__":
    asked = sys.argv[1:] or list(PARTS)
    if len(asked) == 1:
        kept = os.environ.get("BENCH_FOLDER")
        with tempfile.TemporaryDirectory() as place:
            PARTS[asked[0]](Path(kept or place))
    else:
        for part in asked:
            subprocess.run([sys.executable, __file__, part], check=True)
