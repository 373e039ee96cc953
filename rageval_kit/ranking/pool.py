"""Which documents should people judge next, given what several runs returned?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rageval_kit.ranking.natural import in_natural_order
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.streams import stream

if TYPE_CHECKING:
    import polars as pl

PoolOrder = Literal["depth", "adaptive"]

# The persistence with which Moffat, Webber and Zobel (SIGIR 2007) chose what to judge.
PERSISTENCE = 0.8
_RELEVANT = 1
_BEFORE = 2  # judgments of the query itself that all queries together weigh as much as
_PAIR = ["query_id", "document_id"]


@dataclass(frozen=True, slots=True)
class RunCoverage:
    """Of `results` of one run in the top `k`, how many are judged."""

    run: str
    k: int
    judged: int
    results: int


@dataclass(frozen=True, slots=True)
class Pool:
    """The documents to judge, by query, first things first, and how much is judged already.

    `rows`: query_id, document_id, best_rank, runs (how many hold it), weight, grade (null where
    nobody judged it), and `rank in NAME` for each run (null where it does not hold the document).
    `size` and `judged` count the whole pool, before anything was left out.
    """

    rows: "pl.DataFrame"
    size: int
    judged: int
    coverage: tuple[RunCoverage, ...]


def pool(
    runs: Mapping[str, "pl.DataFrame"],
    *,
    depth: int = 20,
    order: PoolOrder = "depth",
    budget: int | None = None,
    judged: "pl.DataFrame | None" = None,
    keep_judged: bool = False,
) -> Pool:
    """Merge the top `depth` of each run (query_id, document_id, rank) into a list to be labelled.

    `depth`: within a query by best rank, then by how many runs hold it, then by id. `adaptive`: by
    the rank-biased precision, summed over the runs, that its judgment is expected to find: the
    weight (1-p)p^(rank-1) of its rank, p = .8 (Moffat, Webber and Zobel, Strategic system
    comparisons via targeted relevance judgments, SIGIR 2007), times the probability that what the
    run returns is relevant. That is the mean of a beta distribution, learnt from the run's results
    in `judged` (Losada, Parapar and Barreiro, Feeling lucky?, SAC 2016; Multi-armed bandits for
    adjudicating documents, IP&M 53, 2017): over all queries from one success and one failure, and
    for each query from that. So judging a part and pooling again with `judged` both continues where
    that stopped and turns to the runs that have found most. A `budget` counts what is still to be
    judged, and every query gets its first document before any gets its second: how many documents
    a query gets does not depend on the weights, or hard queries would hardly be judged.
    """
    import polars as pl

    _refuse(runs, depth, budget)
    names = list(runs)
    held = pl.concat(
        frame.filter(pl.col("rank") <= depth).select(
            *_PAIR, pl.col("rank").cast(pl.Int64), pl.lit(name).alias("run")
        )
        for name, frame in runs.items()
    )
    grades = _grades(judged)
    weight = pl.col("chance") * (1 - PERSISTENCE) * PERSISTENCE ** (pl.col("rank") - 1)
    merged = (
        _with_chance(held, grades)
        .group_by(_PAIR)
        .agg(
            pl.col("rank").min().alias("best_rank"),
            pl.len().cast(pl.Int64).alias("runs"),
            # added from small to large: a sum owes nothing to the order of the runs
            weight.sort().sum().alias("weight"),
            *(
                pl.col("rank").filter(pl.col("run") == name).first().alias(f"rank in {name}")
                for name in names
            ),
        )
    )
    merged = merged.join(grades, on=_PAIR, how="left")
    is_new = pl.col("grade").is_null()
    places = pl.Series("query_id", in_natural_order(merged["query_id"]), pl.String)
    ranked = merged.join(places.to_frame().with_row_index("place"), on="query_id").sort(
        "place", *_first_things_first(order)
    )
    kept = ranked if keep_judged else ranked.filter(is_new)
    if budget is not None:
        turn = kept.with_columns(is_new.cast(pl.Int64).cum_sum().over("place").alias("turn"))
        afforded = turn.filter(is_new).sort("turn", "place").head(budget).select(_PAIR)
        kept = pl.concat(
            [
                kept.join(afforded, on=_PAIR, how="semi", maintain_order="left"),
                kept.filter(~is_new),
            ]
        ).sort("place", *_first_things_first(order))
    return Pool(
        rows=kept.drop("place"),
        size=merged.height,
        judged=int(merged["grade"].count()),
        coverage=tuple(_coverage(name, held, grades, depth) for name in names),
    )


def shuffled(rows: "pl.DataFrame", seed: int) -> "pl.DataFrame":
    """Only what the annotator may know, in an order that tells nothing about ranks or runs."""
    import polars as pl

    # Drawn by id, not by place: who is in the pool decides, not where a run put them.
    plain = rows.select(*_PAIR, "grade").sort(_PAIR)
    draw = pl.Series("draw", stream(seed, "pool").permutation(plain.height))
    first_seen = rows.select("query_id").unique(maintain_order=True).with_row_index("place")
    return (
        plain.with_columns(draw)
        .join(first_seen, on="query_id")
        .sort("place", "draw")
        .drop("place", "draw")
    )


def _first_things_first(order: PoolOrder) -> "list[pl.Expr]":
    import polars as pl

    best = pl.col("best_rank")
    first = [-pl.col("weight"), best] if order == "adaptive" else [best, -pl.col("runs")]
    return [*first, pl.col("document_id")]


def _grades(judged: "pl.DataFrame | None") -> "pl.DataFrame":
    import polars as pl

    if judged is None:
        return pl.DataFrame(schema={**dict.fromkeys(_PAIR, pl.String), "grade": pl.Int32})
    return judged.select(*_PAIR, "grade")


def _with_chance(held: "pl.DataFrame", grades: "pl.DataFrame") -> "pl.DataFrame":
    """With `chance`: how probably a result of this run for this query is relevant."""
    import polars as pl

    # A grade below 0 says that nobody could judge.
    seen = held.join(grades.filter(pl.col("grade") >= 0), on=_PAIR)
    found = pl.col("grade") >= _RELEVANT
    overall = seen.group_by("run").agg(everywhere=(1 + found.sum()) / (2 + pl.len()))
    here = seen.group_by("run", "query_id").agg(found=found.sum(), seen=pl.len())
    known = held.join(overall, on="run", how="left").join(here, on=["run", "query_id"], how="left")
    before = _BEFORE * pl.col("everywhere").fill_null(0.5)
    found_here, seen_here = (pl.col(name).fill_null(0) for name in ("found", "seen"))
    return known.with_columns(chance=(before + found_here) / (_BEFORE + seen_here))


def _coverage(name: str, held: "pl.DataFrame", grades: "pl.DataFrame", depth: int) -> RunCoverage:
    import polars as pl

    own = held.filter(pl.col("run") == name)
    return RunCoverage(name, depth, own.join(grades, on=_PAIR, how="semi").height, own.height)


def _refuse(runs: Mapping[str, "pl.DataFrame"], depth: int, budget: int | None) -> None:
    faults = [
        Fault(name, "the run holds no result", way_out="leave it out, or give its lists")
        for name, frame in runs.items()
        if not frame.height
    ]
    if not runs:
        faults.append(Fault("pool", "needs a run", way_out="name the runs to be merged"))
    if depth < 1:
        faults.append(Fault("depth", "must be 1 or more", str(depth), "such as 20"))
    if budget is not None and budget < 1:
        faults.append(Fault("budget", "must be 1 or more", str(budget), "how many can be judged?"))
    if faults:
        raise InputError(faults)
