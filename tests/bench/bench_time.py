"""What do the suites of time come to on public histories, and how long do they take?

Run by hand: `python tests/bench/bench_time.py DATA [PART]…`, where a part is corpora, matrix,
withdrawn, boundaries, questions or suites; all by default. `only=peps,zh_laws`: no other corpora.
Each run is a process of its own, so that its peak of memory is its own.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "real"))
import time_runs

RETRIEVERS = ("bm25", "dense", "hybrid")
CORPORA = tuple(time_runs.corpora.CORPORA)
COUNTS = ("cases", "held", "violated", "not observed", "own cases", "own violated")
HEAD = ("corpus", "suite", "retriever", "filter", *COUNTS, "exit", "s", "MB", "violated, or unmet")


def row(run: time_runs.Run) -> list[object]:
    """Counts of all cases, and of those about documents that the kit did not plant."""
    outcomes = Counter(str(row.outcome) for row in run.rows)
    own = run.of_the_corpus()
    told = ", ".join(sorted(run.violated())) or "; ".join(run.unmet().values())
    return [
        len(run.rows),
        outcomes["held"],
        outcomes["violated"],
        outcomes["unobserved"] + outcomes["failed"],
        len(own),
        sum(str(row.outcome) == "violated" for row in own),
        run.exit_code,
        round(run.seconds, 1),
        peak_mb(),
        told,
    ]


def peak_mb() -> int:
    """Of this process alone: what `getrusage` says begins with the peak of the one that forked."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def one(place: Path, words: Sequence[str]) -> None:
    """A run in this process: the row as JSON on the last line."""
    name, *rest = words
    kept = place / f"{name}.json"
    files = None
    if name != "demo":
        told = {key: value and Path(value) for key, value in json.loads(kept.read_text()).items()}
        files = time_runs.Corpus(**{**told, "name": name})
    found = time_runs.run(files, place / "archive", *rest)
    more = {"boundaries": len(found.boundaries()), "measures": list(measures(found))}
    print(json.dumps([row(found), more]))


def measures(run: time_runs.Run) -> Iterator[list[object]]:
    for metric in run.record.metrics:
        if metric.over == "samples" and metric.value is not None:
            why = "; ".join(f"{n} × {reason}" for reason, n in metric.reasons.items())
            yield [metric.metric, f"{metric.value:.3f}", metric.n_scored, metric.n_total, why]


def apart(place: Path, *words: str) -> tuple[list[object], dict[str, object]]:
    command = [sys.executable, __file__, "one", str(place), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    cells, more = json.loads(done.stdout.splitlines()[-1])
    return cells, more


def line(*cells: object) -> None:
    print(f"| {' | '.join(str(cell).replace('|', '/') for cell in cells)} |", flush=True)


def head(*names: str) -> None:
    print()
    line(*names)
    line(*("---" for _ in names))


def corpora(place: Path, names: Sequence[str]) -> None:
    """A version without a start is in force at no time: `undefined`, and only ever held back."""
    head("corpus", "documents", "versions", "edges", "without a start")
    for name in names:
        table = Path(json.loads((place / f"{name}.json").read_text())["table"])
        rows = {row["version_id"]: row for row in map(json.loads, table.open(encoding="utf-8"))}
        line(
            name,
            len({row["document_id"] for row in rows.values()}),
            len(rows),
            sum(edge in row for row in rows.values() for edge in ("valid_from", "valid_to")),
            sum("valid_from" not in row for row in rows.values()),
        )


def matrix(place: Path, names: Sequence[str]) -> None:
    head(*HEAD)
    for name in names:
        for suite in time_runs.SUITES:
            for retriever in RETRIEVERS:
                for said, words in (("with", []), ("without", ["fault=ignore_c6"])):
                    cells, _ = apart(
                        place, name, f"+suite={suite}", f"retriever={retriever}", *words
                    )
                    line(name, suite, retriever, said, *cells)


def withdrawn(place: Path, names: Sequence[str]) -> None:
    """State instead of validity: what is withdrawn, held back or not."""
    del names
    head(*HEAD)
    chosen = ["suites.staleness.families.ids=[VER-02,CTL-08]", "suites.staleness.size.cases=560"]
    for retriever in RETRIEVERS:
        for fault in ("", "ignore_c5", "withdrawn_served"):
            words = [*chosen, *([f"fault={fault}"] if fault else [])]
            cells, _ = apart(
                place, "pypa_advisories", "+suite=staleness", f"retriever={retriever}", *words
            )
            line("pypa_advisories", "VER-02, CTL-08", retriever, fault or "with", *cells)


def boundaries(place: Path, names: Sequence[str]) -> None:
    """Every edge of every version of site_policy at three instants: counted, and all cases."""
    del names
    table = Path(json.loads((place / "site_policy.json").read_text())["table"])
    edges, expected = time_runs.boundaries(table)
    print(f"\nsite_policy: {edges:,} edges x 3 instants, {expected:,} at which something is denied")
    head(*HEAD)
    size = f"suites.as_of.size.cases={time_runs.EVERY}"
    chosen = ["+suite=as_of", "suites.as_of.families.ids=[ASO-02]", size]
    for retriever in RETRIEVERS:
        for said, words in (("with", []), ("without", ["fault=ignore_c6"])):
            cells, more = apart(place, "site_policy", *chosen, f"retriever={retriever}", *words)
            line("site_policy", "every boundary", retriever, said, *cells)
            if more["boundaries"] != expected:
                raise SystemExit(f"{more['boundaries']} boundaries are cases, not {expected}")


def questions(place: Path, names: Sequence[str]) -> None:
    """timeqa: the judged questions, each as of its year."""
    del names
    samples = json.loads((place / "timeqa.json").read_text())["samples"]
    head("retriever", "measure", "value", "scored", "asked", "not measured")
    for retriever in RETRIEVERS:
        words = [f"samples.path={samples}", "samples.grain=passage", "metrics=retrieval_core"]
        _, more = apart(place, "timeqa", f"retriever={retriever}", *words)
        for cells in more["measures"]:
            line(retriever, *cells)


def suites(place: Path, names: Sequence[str]) -> None:
    """The four suites of this issue on the demo corpus."""
    del names
    head(*HEAD)
    total = 0.0
    for suite in ("staleness", "as_of", "injection", "poisoning"):
        cells, _ = apart(place, "demo", f"+suite={suite}")
        total += float(str(cells[HEAD.index("s") - 4]))
        line("demo", suite, "hybrid", "with", *cells)
    print(f"\ntogether {total:.1f} s")


PARTS = {
    "corpora": corpora,
    "matrix": matrix,
    "withdrawn": withdrawn,
    "boundaries": boundaries,
    "questions": questions,
    "suites": suites,
}


def main(data: Path, asked: Sequence[str]) -> None:
    only = next((word.removeprefix("only=") for word in asked if word.startswith("only=")), "")
    names = only.split(",") if only else CORPORA
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        os.environ["RAGEVAL_KEY_FILE"] = str(place / "key")
        for name in CORPORA:
            files = time_runs.corpus(name, data, place)
            told = {key: value and str(value) for key, value in vars(files).items()}
            (place / f"{name}.json").write_text(json.dumps(told))
        for part in [word for word in asked if "=" not in word] or PARTS:
            PARTS[part](place, names)


if __name__ == "__main__":
    if sys.argv[1] == "one":
        one(Path(sys.argv[2]), sys.argv[3:])
    else:
        main(Path(sys.argv[1]), sys.argv[2:])
