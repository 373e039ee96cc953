"""Which documents should people judge next, given what several runs returned?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rageval_kit.ranking.mix_up import in_order
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.streams import stream

if TYPE_CHECKING:
    import polars as pl

Order = Literal["depth", "adaptive"]

# The persistence with which Moffat, Webber and Zobel (SIGIR 2007) chose what to judge.
PERSISTENCE = 0.8
_PAIR = ["query_id", "document_id"]


@dataclass(frozen=True, slots=True)
class Coverage:
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
    coverage: tuple[Coverage, ...]


def pool(
    runs: Mapping[str, "pl.DataFrame"],
    *,
    depth: int = 20,
    order: Order = "depth",
    budget: int | None = None,
    judged: "pl.DataFrame | None" = None,
    keep_judged: bool = False,
) -> Pool:
    """Merge the top `depth` of each run (query_id, document_id, rank) into a list to be labelled.

    `depth`: within a query by best rank, then by how many runs hold it, then by id. `adaptive`: by
    the summed weight (1-p)p^(rank-1) over the runs, p = .8: what a judgment adds to the rank-biased
    precision of all of them (method A of Moffat, Webber and Zobel, Strategic system comparisons
    via targeted relevance judgments, SIGIR 2007). Neither needs judgments as it goes; judging a
    part and pooling again with `judged` continues where that stopped. A `budget` counts what is
    still to be judged, and every query gets its first document before any gets its second.
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
    weight = (1 - PERSISTENCE) * PERSISTENCE ** (pl.col("rank") - 1)
    merged = held.group_by(_PAIR).agg(
        pl.col("rank").min().alias("best_rank"),
        pl.len().cast(pl.Int64).alias("runs"),
        # added from small to large: a sum, and so the order, owes nothing to the order of the runs
        weight.sort().sum().alias("weight"),
        *(
            pl.col("rank").filter(pl.col("run") == name).first().alias(f"rank in {name}")
            for name in names
        ),
    )
    grades = _grades(judged)
    merged = merged.join(grades, on=_PAIR, how="left")
    is_new = pl.col("grade").is_null()
    places = pl.Series("query_id", in_order(merged["query_id"]), pl.String)
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


def _first_things_first(order: Order) -> "list[pl.Expr]":
    import polars as pl

    best = pl.col("best_rank")
    first = [-pl.col("weight"), best] if order == "adaptive" else [best, -pl.col("runs")]
    return [*first, pl.col("document_id")]


def _grades(judged: "pl.DataFrame | None") -> "pl.DataFrame":
    import polars as pl

    if judged is None:
        return pl.DataFrame(schema={**dict.fromkeys(_PAIR, pl.String), "grade": pl.Int32})
    return judged.select(*_PAIR, "grade")


def _coverage(name: str, held: "pl.DataFrame", grades: "pl.DataFrame", depth: int) -> Coverage:
    import polars as pl

    own = held.filter(pl.col("run") == name)
    return Coverage(name, depth, own.join(grades, on=_PAIR, how="semi").height, own.height)


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
