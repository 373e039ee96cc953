"""How are the values of every query written, for people's own tables and for machines?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rageval_kit.corpus.atomic import write_file
from rageval_kit.intake.byte_blocks import BOM
from rageval_kit.ranking.overlap import Overlap
from rageval_kit.records.faults import InputError
from rageval_kit.run.score import Scored, Scores
from rageval_kit.run.score_table import values

if TYPE_CHECKING:
    import polars as pl

_UNFIT = {"grain": "not defined at this grain", "bounds": "without a lowest and highest value"}
# The definition stands once for all runs, and the rest is said of an evaluation's questions only.
_OF_A_RUN = ("definition", "over", "floor", "shares")
_FORMULA = r"^ *[=+\-@\t\r\n＝＋－＠]"
_ENDINGS = (".csv", ".jsonl", ".parquet")


def write_by_query(scores: Scores, path: Path) -> None:
    """One row per run, query and measure; the form is that of the file's ending."""
    import polars as pl

    frame = pl.concat([by_query(run, scores.query_ids) for run in scores.runs])
    content = BytesIO()
    form = path.suffix.lower()
    if form == ".csv":
        # Ids are other people's text: none may run as a formula where the file is opened.
        names = pl.col("run", "query_id")
        safe = pl.when(names.str.contains(_FORMULA)).then("'" + names).otherwise(names)
        content.write(BOM)
        frame.drop("identity").with_columns(safe.name.keep()).write_csv(
            content, line_terminator="\r\n"
        )
    elif form == ".jsonl":
        frame.write_ndjson(content)
    else:
        frame.write_parquet(content)
    write_file(path, content.getvalue())


def check_output(path: Path | None, *, force: bool) -> None:
    """Refused before anything is read: nobody should wait for values that cannot be written."""
    if path is None:
        return
    where = f"--per-query {path}"
    if path.suffix.lower() not in _ENDINGS:
        way_out = f"end its name with one of {', '.join(_ENDINGS)}"
        raise InputError.one(where, "has no known form", path.suffix, way_out)
    if path.exists() and not force:
        raise InputError.one(where, "exists already", "", "choose another, or --force")
    if not path.parent.is_dir():
        raise InputError.one(where, "its folder does not exist", str(path.parent), "make it first")


def by_query(run: Scored, query_ids: Sequence[str]) -> "pl.DataFrame":
    """run, query_id, metric, identity, value (null: none), reason (why none), returned, note."""
    return values(("run", run.name), query_ids, run.columns, run.returned)


def machine_scores(
    scores: Scores,
    judgment_notes: Sequence[str],
    notes: Mapping[str, Sequence[str]],
    unfit: Mapping[str, str],
) -> dict[str, Any]:
    """Everything but the values by query, as plain data; `unfit` are measures left out, and why."""
    return {
        "judgments": {
            "queries": len(scores.query_ids),
            "judged": scores.judged,
            "relevant": scores.relevant,
            "notes": list(judgment_notes),
        },
        "conventions": asdict(scores.conventions),
        "definitions": {
            one.metric: dict(one.definition) for run in scores.runs[:1] for one in run.results
        },
        "left_out": {name: f"not_applicable: {_UNFIT[why]}" for name, why in unfit.items()},
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
                    "verdict": one.verdict,
                    "reason": one.reason,
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
        "overlap": _overlap(run.overlap),
        "warnings": list(run.warnings),
        "notes": list(notes),
        "measures": [
            {name: value for name, value in asdict(one).items() if name not in _OF_A_RUN}
            for one in run.results
        ],
    }


def _overlap(met: Overlap) -> dict[str, Any]:
    """Shares over the first 10 of each list, each with what it is a share of."""
    shares = {
        "queries_with_a_judged_result": (met.any_judged_share, met.queries_both),
        "results_judged": (met.judged_share, met.rows),
        "judged_of_those_within_reach": (met.reached_share, met.reachable),
        "documents_judged_for_any_query": (met.documents_judged_share, met.documents),
        "documents_in_corpus": (
            met.documents_in_corpus_share,
            0 if met.corpus is None else met.documents,
        ),
    }
    return {
        "queries_on_both_sides": met.queries_both,
        "queries_only_judged": met.queries_only_judged,
        "queries_only_ranked": met.queries_only_run,
        **{name: {"share": share, "n": n} for name, (share, n) in shares.items()},
    }
