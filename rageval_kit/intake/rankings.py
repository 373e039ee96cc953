"""How are judgments and rankings read, whatever form people keep them in?"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from rageval_kit.intake import trec
from rageval_kit.ranking.judge import RefusedListsError
from rageval_kit.records.faults import Fault, InputError

_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class JudgmentFile:
    """Every judgment once: query_id, document_id, grade. `notes` are sentences for people."""

    path: Path
    frame: pl.DataFrame
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankingFile:
    """A ranking that is read afresh, block by block, at each call of `blocks`.

    `lined` gives query_id, document_id and line, to say where something wrong stands.
    """

    path: Path
    name: str
    blocks: Callable[[], Iterator[pl.DataFrame]]
    lined: Callable[[], Iterator[pl.DataFrame]]
    notes: list[str] = field(default_factory=list)


def read_judgments(path: Path) -> JudgmentFile:
    """From TREC qrels or any table; a pair repeated with one grade is kept once, and said."""
    from rageval_kit.intake import ranking_tables

    if ranking_tables.is_table(path):
        table = ranking_tables.read_judgments(path)
        return JudgmentFile(path, table.frame.drop("line"), tuple(table.info.notes))
    read, told = trec.read_judgments(path)
    frame, notes = _once(path, read)
    if not len(frame):
        raise InputError.one(str(path), "holds no judgment", "", "write: query 0 document grade")
    return JudgmentFile(path, frame.drop("line"), told + notes)


def ranking(path: Path, *, with_rank: bool = False) -> RankingFile:
    """From a TREC run or any table; nothing is read yet. `with_rank`: the stated rank rules."""
    from rageval_kit.intake import ranking_tables

    if not path.exists():
        raise InputError.one(str(path), "does not exist", "", "give the path of a ranking")
    if ranking_tables.is_table(path):
        return table_ranking(path, with_rank=with_rank)
    notes: list[str] = []
    return RankingFile(
        path,
        _name(path),
        lambda: trec.ranking_blocks(path, notes, with_rank=with_rank),
        lambda: trec.lined_blocks(path),
        notes,
    )


def table_ranking(path: Path, given: Any = None, *, with_rank: bool = False) -> RankingFile:
    """From a table; `given` (a frame or a mapping) stands in for the file, which `path` names."""
    from rageval_kit.intake import ranking_tables

    notes: list[str] = []
    return RankingFile(
        path,
        _name(path),
        lambda: _table(path, given, notes, with_rank=with_rank),
        lambda: ranking_tables.ranking_blocks(path, given=given),
        notes,
    )


def located(file: RankingFile, error: RefusedListsError) -> InputError:
    """The same refusal with the lines on which the repeated pairs stand."""
    if not error.repeated:
        return error
    wanted = pl.DataFrame(
        error.repeated, schema={"query_id": pl.String, "document_id": pl.String}, orient="row"
    )
    lines: dict[tuple[str, str], list[int]] = {}
    for block in file.lined():
        met = block.join(wanted, on=["query_id", "document_id"], how="semi", maintain_order="left")
        for query, document, line in met.select("query_id", "document_id", "line").iter_rows():
            lines.setdefault((query, document), []).append(line)
    return RefusedListsError(str(file.path), error.others, error.repeated, lines)


def by_name(files: Sequence[RankingFile]) -> dict[str, RankingFile]:
    """Each by its own name, files of the same name by their paths; one file twice is refused."""
    places = [file.path.resolve() for file in files]
    twice = [file for i, file in enumerate(files) if places[i] in places[:i]]
    if twice:
        problem, way_out = "is given twice, and would be scored twice", "give each ranking once"
        raise InputError(Fault(str(file.path), problem, way_out=way_out) for file in twice)
    names = [file.name for file in files]
    return {
        (file.name if names.count(file.name) == 1 else file.path.as_posix()): file for file in files
    }


def read_top(path: Path, depth: int) -> pl.DataFrame:
    """The first `depth` of every list: query_id, document_id, rank (1-based, ordered once)."""
    from rageval_kit.ranking.top import top

    return top(ranking(path).blocks, depth, where=str(path))


def _table(path: Path, given: Any, notes: list[str], *, with_rank: bool) -> Iterator[pl.DataFrame]:
    from rageval_kit.intake import ranking_tables

    columns = ["query_id", "document_id", "score", *(["rank"] if with_rank else [])]
    blocks = ranking_tables.ranking_blocks(path, given=given)
    for block in blocks:
        if with_rank and block["rank"].null_count():
            way_out = "add a column `rank`, or leave ties to the scores"
            raise InputError.one(str(path), "states no rank for every result", "", way_out)
        yield block.select(columns)
    notes[:] = blocks.info.notes


def _once(path: Path, frame: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    from rageval_kit.ranking.judgments import repeated_pairs

    pair = ["query_id", "document_id"]
    twice = repeated_pairs(frame)
    if not len(twice):
        return frame, ()
    grouped = twice.group_by(pair, maintain_order=True).agg("grade", "line")
    conflicts = grouped.filter(pl.col("grade").list.n_unique() > 1)
    if len(conflicts):
        faults = [
            Fault(
                f"{path}:{', '.join(map(str, lines))}",
                f"query '{query}', document '{document}' is judged more than once, differently",
                "grades " + ", ".join(map(str, grades)),
                "keep the right one",
            )
            for query, document, grades, lines in conflicts.head(_MOST_NAMED).iter_rows()
        ]
        if len(conflicts) > _MOST_NAMED:
            faults.append(Fault(str(path), f"and {len(conflicts) - _MOST_NAMED} more pairs"))
        raise InputError(faults)
    n = len(twice) - len(grouped)
    note = f"{n} repeated judgment{'s' if n > 1 else ''} with the same grade, kept once"
    return frame.unique(pair, keep="first", maintain_order=True), (note,)


def _name(path: Path) -> str:
    """The file's name without what says how it is stored."""
    name = path.name
    for ending in (".gz", ".zst", ".txt", ".trec", ".run", ".jsonl", ".json", ".csv", ".tsv"):
        name = name.removesuffix(ending) or name
    return name.removesuffix(".parquet") or name
