"""How do rankings that a program holds measure up to judgments that it holds?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.build.measures import fitting, measures
from rageval_kit.intake import ranking_tables as tables
from rageval_kit.intake import rankings as files
from rageval_kit.intake.rankings import RankingFile
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
    **options: Any,
) -> Scores:
    """Score one or several rankings; what is refused in files is refused here, all at once.

    Judgments and a ranking are each a mapping {query: {document: number}}, a polars or pandas frame
    with a query, a document and a grade or score column (as in CSV files), or the path of a file; a
    ranking may also be {query: [documents in order]}.
    Several rankings are a mapping of names to such. `metrics` are names (`ndcg@10`) or measures.
    `options` are the other fields of `rageval_kit.run.score.Rules`: seed, intervals, corpus, …
    The scores of each query are `scores.runs[i].columns`, in the order of `scores.query_ids`.
    """
    rules = Rules(conventions or Conventions(), **options)
    _check_metrics(metrics)
    with_rank = rules.conventions.ties == "keep_rank"
    faults: list[Fault] = []
    read: dict[str, Any] = {}
    for name, part in (
        ("metrics", lambda: measures([one for one in metrics if isinstance(one, str)], ())),
        ("judgments", lambda: _judgments(judgments)),
        ("rankings", lambda: _rankings(rankings, with_rank=with_rank)),
    ):
        try:
            read[name] = part()
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    named = read["metrics"]
    if metrics is _MEASURES:  # of those that nobody named, what these conventions allow
        named, _unfit = fitting(named, rules.in_force)
    chosen = [*named.values(), *(one for one in metrics if not isinstance(one, str))]
    return score(read["judgments"], read["rankings"], chosen, rules)


def _check_metrics(metrics: Sequence[Any]) -> None:
    way_out = 'give a list of names or measures, such as ["ndcg@10"]'
    if isinstance(metrics, str) or not metrics:
        raise InputError.one("metrics", "names no list of measures", repr(metrics), way_out)
    for one in metrics:
        if not isinstance(one, str) and not (callable(one) and hasattr(one, "grains")):
            raise InputError.one("metrics", "holds what is no measure", repr(one), way_out)


def _rankings(rankings: Any, *, with_rank: bool) -> dict[str, RankingFile]:
    faults: list[Fault] = []
    made = {}
    for name, one in _several(rankings).items():
        try:
            made[name] = _ranking(name, one, with_rank=with_rank)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return made


def _several(rankings: Any) -> dict[str, Any]:
    """Names and rankings: a mapping is one ranking if its values are mappings of numbers."""
    if not isinstance(rankings, Mapping) or not rankings or _is_ordered(rankings):
        return {"ranking": rankings}
    lists = [one for one in rankings.values() if isinstance(one, Mapping) and one]
    inner = [number for one in lists for number in one.values()]
    is_one = len(inner) > 0 and not any(isinstance(number, Mapping) for number in inner)
    whole = all(isinstance(one, Mapping) for one in rankings.values())
    if whole and (is_one or not lists):
        return {"ranking": rankings}
    return {str(name): one for name, one in rankings.items()}


def _judgments(given: Any) -> "pl.DataFrame":
    if isinstance(given, str | Path):
        return files.read_judgments(Path(given)).frame
    return tables.read_judgments(Path("judgments"), _plain("judgments", given)).frame.drop("line")


def _ranking(name: str, given: Any, *, with_rank: bool) -> RankingFile:
    if isinstance(given, str | Path):
        return replace(files.ranking(Path(given), with_rank=with_rank), name=name)
    plain = _ordered(given) if _is_ordered(given) else _plain(name, given)
    return files.table_ranking(Path(name), plain, with_rank=with_rank)


def _is_ordered(given: Any) -> bool:
    """{query: [ids in their order]}, as a retriever returns them."""
    lists = list(given.values()) if isinstance(given, Mapping) else []
    return bool(lists) and all(isinstance(one, list | tuple) for one in lists)


def _ordered(given: Mapping[Any, Sequence[Any]]) -> "pl.DataFrame":
    import polars as pl

    rows = [
        (str(query), str(document), rank)
        for query, documents in given.items()
        for rank, document in enumerate(documents, 1)
    ]
    schema = {"query_id": pl.String, "document_id": pl.String, "rank": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _plain(name: str, given: Any) -> Any:
    """A polars frame or a mapping; a pandas frame column by column."""
    import polars as pl

    if isinstance(given, pl.LazyFrame):
        return given.collect()
    if isinstance(given, pl.DataFrame):
        return given
    if isinstance(given, Mapping):
        return {query: _numbers(documents) for query, documents in given.items()}
    columns = getattr(given, "columns", None)
    if columns is None:
        way_out = "give {query: {document: number}}, a polars or pandas frame, or a path"
        raise InputError.one(name, "is nothing that can be read", type(given).__name__, way_out)
    return pl.DataFrame(
        {str(column): pl.Series(given[column].tolist(), strict=False) for column in columns}
    )


def _numbers(documents: Any) -> Any:
    """The numbers of numpy as those of Python."""
    if not isinstance(documents, Mapping):
        return documents
    return {name: one.item() if hasattr(one, "item") else one for name, one in documents.items()}
