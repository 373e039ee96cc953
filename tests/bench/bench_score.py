"""How fast is `score`, beside the tools people use, on the same files in one run?

    python tests/bench/bench_score.py [--shapes small,wide,many] [--peers PYTHON] [--trec-eval PATH]
    python tests/bench/bench_score.py --growth
    python tests/bench/bench_score.py --huge 70000000

Every tool reads the same TREC files, computes the same ten measures and writes every value of every
query; each call is a process of its own, the first is not counted (warm cache), the median of five
is shown, with the time that the bare start of that tool takes and its largest resident memory.
`--peers` is a Python with pytrec-eval-terrier, ir-measures and ranx; `--trec-eval` the C tool.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SHAPES = {"small": (1_000, 100), "wide": (6_980, 1_000), "many": (50_000, 100)}
CORPUS = 8_841_823
JUDGED = 15
OURS = (
    *("ndcg_linear@10", "ndcg_linear", "ap", "mrr", "precision@10", "recall@10", "recall@100"),
    *("hit_rate@10", "r_precision", "bpref"),
)
TREC = (
    "ndcg_cut.10",
    "ndcg",
    "map",
    "recip_rank",
    "P.10",
    "recall.10,100",
    "success.10",
    "Rprec",
    "bpref",
)
PYTREC = (
    *("ndcg_cut_10", "ndcg", "map", "recip_rank", "P_10", "recall_10", "recall_100"),
    *("success_10", "Rprec", "bpref"),
)
IR = "nDCG@10 nDCG AP RR P@10 R@10 R@100 Success@10 Rprec Bpref"
RANX = (
    *("ndcg@10", "ndcg", "map", "mrr", "precision@10", "recall@10", "recall@100"),
    *("hit_rate@10", "r-precision", "bpref"),
)

PEERS = {
    "pytrec_eval": f"""
import sys, json, warnings
warnings.simplefilter("ignore")
import pytrec_eval
if len(sys.argv) > 1:
    with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
    with open(sys.argv[2]) as f: run = pytrec_eval.parse_run(f)
    found = pytrec_eval.RelevanceEvaluator(qrels, {set(PYTREC)!r}).evaluate(run)
    with open(sys.argv[3], "w") as f: json.dump(found, f)
""",
    "ir_measures": f"""
import sys, csv
import ir_measures
measures = [ir_measures.parse_measure(one) for one in {IR!r}.split()]
if len(sys.argv) > 1:
    qrels = ir_measures.read_trec_qrels(sys.argv[1])
    run = ir_measures.read_trec_run(sys.argv[2])
    with open(sys.argv[3], "w") as f:
        found = ir_measures.iter_calc(measures, qrels, run)
        csv.writer(f).writerows((m.query_id, str(m.measure), m.value) for m in found)
""",
    "ranx": f"""
import sys, json
from ranx import Qrels, Run, evaluate
if len(sys.argv) > 1:
    qrels = Qrels.from_file(sys.argv[1], kind="trec")
    run = Run.from_file(sys.argv[2], kind="trec")
    evaluate(qrels, run, {list(RANX)!r}, make_comparable=True, return_mean=False)
    with open(sys.argv[3], "w") as f: json.dump({{k: dict(v) for k, v in run.scores.items()}}, f)
""",
}


def write_files(folder, name, n_queries, depth):
    """A run grouped by query, two in a hundred neighbours tied, and 15 judgments a query."""
    generator = np.random.default_rng(1)
    run, qrels = folder / f"{name}.run", folder / f"{name}.qrels"
    if run.is_file():
        return run, qrels
    with run.open("wb") as lists, qrels.open("wb") as judgments:
        for query in range(n_queries):
            name_of = 1_000_000 + query * 7
            ids = np.unique(generator.integers(0, CORPUS, depth + 2 * JUDGED))
            ids = generator.permutation(ids)[: depth + 3]
            score = np.sort(np.round(generator.gamma(4, 5, depth), 6))[::-1].copy()
            tied = np.flatnonzero(generator.random(depth - 1) < 0.02)
            score[tied + 1] = score[tied]
            score = np.minimum.accumulate(score)
            lines = zip(ids[:depth].tolist(), score.tolist(), strict=True)
            lists.write(
                b"".join(
                    b"%d Q0 %d %d %.6f bench\n" % (name_of, document, rank, value)
                    for rank, (document, value) in enumerate(lines, 1)
                )
            )
            inside = generator.choice(depth, JUDGED - 3, replace=False)
            judged = np.concatenate([ids[inside], ids[depth : depth + 3]])
            grades = generator.choice([0, 0, 1, 2, 3], len(judged))
            judgments.write(
                b"".join(
                    b"%d 0 %d %d\n" % (name_of, document, grade)
                    for document, grade in zip(judged.tolist(), grades.tolist(), strict=True)
                )
            )
    return run, qrels


def called(words, out=None):
    """(wall seconds, largest resident MB) of one process."""
    began = time.perf_counter()
    with Path(out or os.devnull).open("wb") as into:
        process = subprocess.Popen(words, stdout=into, stderr=subprocess.PIPE)
        told = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{words[:4]} ended with {process.returncode}: {told.decode()[-2000:]}")
    return time.perf_counter() - began, usage.ru_maxrss / 1024


def ours(qrels, run, out):
    words = [sys.executable, "-m", "rageval_kit", "score", str(qrels), str(run), "--trec"]
    words += [word for name in OURS for word in ("-m", name)]
    return [*words, "--no-intervals", "--force", "--per-query", str(out)]


def tools(arguments, folder):
    """name -> (words for files, words for the bare start, whether it writes to stdout)."""
    out = folder / "out"
    made = {"rageval-kit": lambda q, r: (ours(q, r, out.with_suffix(".csv")), None)}
    made["rageval-kit --intervals"] = lambda q, r: (
        [w for w in ours(q, r, out.with_suffix(".csv")) if w != "--no-intervals"], None
    )  # fmt: skip
    if arguments.trec_eval:
        flags = [word for name in TREC for word in ("-m", name)]
        made["trec_eval"] = lambda q, r: (
            [arguments.trec_eval, "-q", "-c", *flags, str(q), str(r)], out
        )  # fmt: skip
    if arguments.peers:
        for name, code in PEERS.items():
            made[name] = lambda q, r, code=code: (
                [arguments.peers, "-c", code, str(q), str(r), str(out)], None
            )  # fmt: skip
    return made


def start_of(name, arguments):
    if name.startswith("rageval-kit"):
        code = (
            "import rageval_kit.run.score, rageval_kit.cli.score_lines, rageval_kit.build.measures"
        )
        return called([sys.executable, "-c", code])[0]
    if name == "trec_eval":
        return 0.0
    return called([arguments.peers, "-c", PEERS[name]])[0]


def table(arguments, folder):
    names = arguments.shapes.split(",")
    print(
        f"{'tool':26}"
        + "".join(f"{name + ' s':>12}{'MB':>8}" for name in names)
        + f"{'start s':>10}"
    )
    for tool, words in tools(arguments, folder).items():
        cells = ""
        for name in names:
            run, qrels = write_files(folder, name, *SHAPES[name])
            asked, out = words(qrels, run)
            measured = [called(asked, out) for _ in range(1 + arguments.rounds)][1:]
            seconds = statistics.median(one for one, _ in measured)
            cells += f"{seconds:12.2f}{max(megabytes for _, megabytes in measured):8.0f}"
        print(f"{tool:26}{cells}{start_of(tool, arguments):10.2f}", flush=True)


def growth(folder):
    """time(2n) / time(n), the start taken off."""
    base = start_of("rageval-kit", None)
    before = None
    for n in (2_000, 4_000, 8_000, 16_000):
        run, qrels = write_files(folder, f"growth{n}", n, 500)
        words = ours(qrels, run, folder / "out.csv")
        seconds = statistics.median(called(words)[0] for _ in range(3)) - base
        print(
            f"{n * 500:>12,} rows {seconds:8.2f} s",
            "" if before is None else f"x {seconds / before:.2f}",
        )
        before = seconds


def write_huge(folder, rows, *, interleaved):
    """Lists of a thousand results, one after the other or all side by side, rank by rank."""
    import polars as pl

    depth, step = 1_000, 104_729  # a prime: no document twice in a list
    n = rows // depth
    name = f"huge{rows}{'-interleaved' if interleaved else ''}"
    run, qrels = folder / f"{name}.run", folder / f"{name}.qrels"
    if run.is_file():
        return run, qrels
    at_once = 1_000_000
    with run.open("wb") as lists:
        for start in range(0, n * depth, at_once):
            place = np.arange(start, min(start + at_once, n * depth))
            query, rank = (place % n, place // n) if interleaved else divmod(place, depth)
            frame = pl.DataFrame(
                {
                    "query": 1_000_000 + query,
                    "q0": "Q0",
                    "document": (query * 7_919 + rank * step) % CORPUS,
                    "rank": rank + 1,
                    "score": (depth - rank) / 8,
                    "tag": "huge",
                }
            )
            frame.write_csv(lists, separator=" ", include_header=False)
    query = np.repeat(np.arange(n), JUDGED)
    rank = np.tile(np.arange(JUDGED) * 61, n)
    pl.DataFrame(
        {
            "query": 1_000_000 + query,
            "zero": 0,
            "document": (query * 7_919 + rank * step) % CORPUS,
            "grade": 1 + rank % 3,
        }
    ).write_csv(qrels, separator=" ", include_header=False)
    return run, qrels


def huge(folder, rows):
    """A run of so many rows grouped by query, and the same rows interleaved; equal figures."""
    figures = []
    for interleaved in (False, True):
        run, qrels = write_huge(folder, rows, interleaved=interleaved)
        words = [*ours(qrels, run, folder / "out.csv"), "--json"]
        told = folder / "told.json"
        seconds, megabytes = called(words, told)
        (one,) = json.loads(told.read_text("utf-8"))["runs"]
        figures.append([measure["value"] for measure in one["measures"]])
        print(
            f"{'interleaved' if interleaved else 'grouped':12} {run.stat().st_size / 2**30:.2f} GiB"
            f" {one['results']:,} rows: {seconds:.1f} s, {megabytes:.0f} MB"
            f"{', on disk' if one['spilled'] else ''}",
            flush=True,
        )
        run.unlink()
    if figures[0] != figures[1]:
        sys.exit("the two orders give different figures")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--shapes", default="small,wide,many")
    parser.add_argument("--peers", default="")
    parser.add_argument("--trec-eval", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--huge", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=None, help="Where the files are kept.")
    arguments = parser.parse_args()
    machine = {
        "machine": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
    }
    print(json.dumps(machine))
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if arguments.huge:
            huge(folder, arguments.huge)
        elif arguments.growth:
            growth(folder)
        else:
            table(arguments, folder)


if __name__ == "__main__":
    main()
