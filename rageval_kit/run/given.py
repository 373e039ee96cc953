"""How do rankings that a program holds measure up to judgments that it holds?"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.build.measures import measures
from rageval_kit.intake import ranking_tables as tables
from rageval_kit.intake import rankings as files
from rageval_kit.ranking.judge import Blocks
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.run.score import Rules, Scores, score

if TYPE_CHECKING:
    import polars as pl

_MEASURES = ("ndcg@10", "ap", "mrr@10", "precision@10", "recall@10", "recall@100", "judged@10")


def score_rankings(
    judgments: Any,
    rankings: Any,
    metrics: Sequence[Any] = _MEASURES,
    conventions: Conventions | None = None,
    *,
    rules: Rules | None = None,
) -> Scores:
    """Score one or several rankings; what is refused in files is refused here, all at once.

    Judgments and a ranking are each a mapping {query: {document: number}}, a polars or pandas frame
    with a query, a document and a grade or score column (as in CSV files), or the path of a file.
    Several rankings are a mapping of names to such. `metrics` are names (`ndcg@10`), then measures.
    The scores of each query are `scores.runs[i].columns`, in the order of `scores.query_ids`.
    """
    rules = rules or Rules(conventions or Conventions())
    with_rank = rules.conventions.ties == "keep_rank"
    faults: list[Fault] = []
    named: dict[str, Any] = {}
    known: pl.DataFrame | None = None
    try:
        named = measures([one for one in metrics if isinstance(one, str)], ())
    except InputError as error:
        faults += error.faults
    try:
        known = _judgments(judgments)
    except InputError as error:
        faults += error.faults
    if faults or known is None:
        raise InputError(faults)
    chosen = [*named.values(), *(one for one in metrics if not isinstance(one, str))]
    lists = {
        name: _blocks(name, one, with_rank=with_rank) for name, one in _several(rankings).items()
    }
    return score(known, lists, chosen, rules)


def _several(rankings: Any) -> dict[str, Any]:
    """Names and rankings: a mapping whose values are no mappings of numbers holds several."""
    if isinstance(rankings, Mapping) and rankings:
        first = next(iter(rankings.values()))
        of_numbers = isinstance(first, Mapping) and not any(
            isinstance(one, Mapping) for one in first.values()
        )
        if not of_numbers:
            return {str(name): one for name, one in rankings.items()}
    return {"ranking": rankings}


def _judgments(given: Any) -> "pl.DataFrame":
    if isinstance(given, str | Path):
        return files.read_judgments(Path(given)).frame
    return tables.read_judgments(Path("judgments"), _plain("judgments", given)).frame.drop("line")


def _blocks(name: str, given: Any, *, with_rank: bool) -> Blocks:
    if isinstance(given, str | Path):
        return files.ranking(Path(given), with_rank=with_rank).blocks
    plain = _plain(name, given)
    columns = ["query_id", "document_id", "score", *(["rank"] if with_rank else [])]
    return lambda: (
        block.select(columns) for block in tables.ranking_blocks(Path(name), given=plain)
    )


def _plain(name: str, given: Any) -> Any:
    """A polars frame or a mapping; a pandas frame column by column."""
    import polars as pl

    if isinstance(given, pl.LazyFrame):
        return given.collect()
    if isinstance(given, pl.DataFrame | Mapping):
        return given
    columns = getattr(given, "columns", None)
    if columns is None:
        way_out = "give {query: {document: number}}, a polars or pandas frame, or a path"
        raise InputError.one(name, "is nothing that can be read", type(given).__name__, way_out)
    return pl.DataFrame(
        {str(column): pl.Series(given[column].tolist(), strict=False) for column in columns}
    )
