"""Which documents of several runs are to be judged, as a sheet for the people who judge?"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rageval_kit.records.faults import Fault, InputError

if TYPE_CHECKING:
    import polars as pl

    from rageval_kit.ranking.pool import Pool, PoolOrder

_PATH = click.Path(path_type=Path)
_FORMS = (".csv", ".jsonl")


@click.command("pool", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("runs", nargs=-1, required=True, metavar="RUN…", type=_PATH)
@click.option("--depth", default=20, show_default=True, help="How far down each run is read.")
@click.option("--budget", type=int, help="At most so many documents, shared out over the queries.")
@click.option("--judged", type=_PATH, metavar="QRELS", help="Judgments there are; left out.")
@click.option("--all", "keep_judged", is_flag=True, help="Keep what is judged, with its grade.")
@click.option(
    "--queries", type=_PATH, metavar="FILE", help="Texts of the queries: JSONL (_id, text) or TSV."
)
@click.option(
    "--order",
    type=click.Choice(["depth", "adaptive"]),
    default="depth",
    show_default=True,
    help="By best rank, or by rank in the runs that have found most of what --judged holds.",
)
@click.option("--blind", is_flag=True, help="No ranks, no runs, shuffled within each query.")
@click.option("--seed", default=7, show_default=True, help="Of the shuffle.")
@click.option(
    "-o", "--output", type=_PATH, default="pool.csv", show_default=True, help="A .csv or .jsonl."
)
@click.option("--force", is_flag=True, help="Replace the output if it exists.")
def command(  # noqa: PLR0913 - one for each option
    *,
    runs: Sequence[Path],
    depth: int,
    budget: int | None,
    judged: Path | None,
    keep_judged: bool,
    queries: Path | None,
    order: "PoolOrder",
    blind: bool,
    seed: int,
    output: Path,
    force: bool,
) -> None:
    """Merge the top of several runs into a list of documents to be judged."""
    from rageval_kit.cli.streams import say
    from rageval_kit.corpus.atomic import write_file
    from rageval_kit.intake.query_texts import read_query_texts
    from rageval_kit.intake.rankings import read_judgments, read_top
    from rageval_kit.ranking.pool import pool, shuffled

    names = _names(runs)
    _refuse(output, depth, force=force)
    texts = read_query_texts(queries) if queries else {}
    merged = pool(
        {name: read_top(path, depth) for name, path in zip(names, runs, strict=True)},
        depth=depth,
        order=order,
        budget=budget,
        judged=read_judgments(judged).frame if judged else None,
        keep_judged=keep_judged,
    )
    rows = shuffled(merged.rows, seed) if blind else merged.rows.drop("weight")
    table = _table(rows, texts if queries else None)
    write_file(output, _csv(table) if output.suffix == ".csv" else _jsonl(table))
    for line in _told(merged, with_judgments=judged is not None):
        say(line)
    if queries and (unknown := merged.rows["query_id"].n_unique() - _count(merged.rows, texts)):
        say(f"warning: {queries} has no text for {unknown:,} of the queries")
    say(f"{output}: {rows.height:,} documents of {rows['query_id'].n_unique():,} queries")


def _names(runs: Sequence[Path]) -> list[str]:
    """A run is called by its file; files of one name by their paths; one file twice is refused."""
    doubled = [path for i, path in enumerate(runs) if path.resolve() in map(Path.resolve, runs[:i])]
    if doubled:
        problem = "the run is named twice, and would count twice"
        raise InputError(Fault(str(path), problem, way_out="name it once") for path in doubled)
    stems = [path.name for path in runs]
    return [path.name if stems.count(path.name) == 1 else path.as_posix() for path in runs]


def _refuse(output: Path, depth: int, *, force: bool) -> None:
    faults = []
    if output.suffix not in _FORMS:
        faults.append(Fault(str(output), "is neither .csv nor .jsonl", way_out="name it so"))
    if output.exists() and not force:
        faults.append(Fault(str(output), "exists already", way_out="choose another, or --force"))
    if depth < 1:
        faults.append(Fault("--depth", "must be 1 or more", str(depth), "such as 20"))
    if faults:
        raise InputError(faults)


def _count(rows: "pl.DataFrame", texts: Mapping[str, str]) -> int:
    return sum(name in texts for name in rows["query_id"].unique())


def _table(rows: "pl.DataFrame", texts: Mapping[str, str] | None) -> "pl.DataFrame":
    """The columns people fill in and read come first: query, its text, document, grade."""
    import polars as pl

    first = ["query_id", "document_id", "grade"]
    if texts is not None:
        said = pl.Series(
            "query_text", [texts.get(name, "") for name in rows["query_id"]], pl.String
        )
        rows = rows.with_columns(said)
        first.insert(1, "query_text")
    return rows.select(*first, pl.exclude(first))


def _csv(table: "pl.DataFrame") -> bytes:
    from rageval_kit.intake.sheets import escaped
    from rageval_kit.report.spreadsheet import csv_rows

    def cell(value: str | int | None) -> str | int:
        return "" if value is None else escaped(value) if isinstance(value, str) else value

    rows = ([cell(value) for value in row] for row in table.iter_rows())
    return csv_rows(table.columns, rows, exact=True).encode("utf-8-sig")


def _jsonl(table: "pl.DataFrame") -> bytes:
    lines = (json.dumps(row, ensure_ascii=False) for row in table.iter_rows(named=True))
    return "".join(f"{line}\n" for line in lines).encode()


def _told(merged: "Pool", *, with_judgments: bool) -> list[str]:
    if not with_judgments:
        return [f"{merged.size:,} documents in the pool, none known to be judged"]
    share = f"{merged.judged / merged.size:.1%}"
    return [
        f"{merged.judged:,} of {merged.size:,} documents in the pool are judged ({share})",
        *(
            f"coverage@{one.k} of {one.run}: {one.judged:,} of {one.results:,} "
            f"({one.judged / one.results:.1%})"
            for one in merged.coverage
        ),
    ]
