"""How are the values of every query written, for people's own tables and for machines?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rageval_kit.corpus.atomic import write_file
from rageval_kit.records.faults import InputError
from rageval_kit.run.score import Scored, Scores

if TYPE_CHECKING:
    import polars as pl

_NO_RESULTS = "no_results"
_ENDINGS = (".csv", ".jsonl", ".parquet")


def write_by_query(scores: Scores, path: Path) -> None:
    """One row per run, query and measure; the form is that of the file's ending."""
    import polars as pl

    check_ending(path)
    frame = pl.concat([by_query(run, scores.query_ids) for run in scores.runs])
    content = BytesIO()
    if path.suffix == ".csv":
        frame.write_csv(content)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(content)
    else:
        frame.write_parquet(content)
    write_file(path, content.getvalue())


def check_ending(path: Path | None) -> None:
    if path is not None and path.suffix not in _ENDINGS:
        way_out = f"end its name with one of {', '.join(_ENDINGS)}"
        raise InputError.one(f"--per-query {path}", "has no known form", path.suffix, way_out)


def by_query(run: Scored, query_ids: Sequence[str]) -> "pl.DataFrame":
    """run, query_id, returned, metric, value (null: none), reason (why none, or `no_results`)."""
    import polars as pl

    n = len(query_ids)
    returned = pl.Series("returned", run.returned, dtype=pl.Int64)
    empty = np.array(run.returned) == 0
    frames = []
    for column in run.columns:
        reasons: list[str | None] = [_NO_RESULTS if nothing else None for nothing in empty.tolist()]
        for i, why in column.reasons.items():
            reasons[i] = why
        frames.append(
            pl.DataFrame(
                {
                    "run": pl.repeat(run.name, n, eager=True),
                    "query_id": pl.Series(query_ids, dtype=pl.String),
                    "returned": returned,
                    "metric": pl.repeat(column.metric, n, eager=True),
                    "value": pl.Series(column.values).set(~pl.Series(column.measured), None),
                    "reason": pl.Series(reasons, dtype=pl.String),
                }
            )
        )
    return pl.concat(frames)


def machine_scores(
    scores: Scores, judgment_notes: Sequence[str], notes: Mapping[str, Sequence[str]]
) -> dict[str, Any]:
    """Everything but the values by query, as plain data."""
    return {
        "judgments": {
            "queries": len(scores.query_ids),
            "judged": scores.judged,
            "relevant": scores.relevant,
            "notes": list(judgment_notes),
        },
        "conventions": asdict(scores.conventions),
        "runs": [_told(run, notes.get(run.name, ())) for run in scores.runs],
        "comparisons": {
            name: [
                {
                    "metric": one.metric,
                    "identity": one.identity,
                    "n": one.n,
                    "n_total": one.n_total,
                    "difference": asdict(one.difference),
                    "effect": asdict(one.effect),
                    "test": asdict(one.test),
                    "p_holm": p,
                    "left_out": [asdict(left) for left in one.left_out],
                }
                for one, p in pairs
            ]
            for name, pairs in scores.comparisons.items()
        },
    }


def _told(run: Scored, notes: Sequence[str]) -> dict[str, Any]:
    lists = run.notes
    return {
        "name": run.name,
        "lists": lists.lists,
        "results": lists.results,
        "missing_queries": list(lists.absent),
        "unjudged_queries": list(lists.unjudged),
        "tied_pairs": lists.tied_pairs,
        "duplicates": lists.duplicates,
        "disordered_lists": lists.disordered,
        "interleaved": lists.interleaved,
        "spilled": lists.spilled,
        "judged_at_10": asdict(run.coverage),
        "warnings": list(run.warnings),
        "notes": list(notes),
        "measures": [
            {name: value for name, value in asdict(one).items() if name != "definition"}
            for one in run.results
        ],
    }
