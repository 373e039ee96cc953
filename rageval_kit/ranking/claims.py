"""Which judged claims do the passages of a list state, and how early is each first stated?"""

from dataclasses import replace

import polars as pl

from rageval_kit.ranking.judge import Blocks, Judged, judge
from rageval_kit.ranking.judgments import Judgments
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.scores import JudgedRankings

_PASSAGE = ["query_id", "passage_id"]


def judge_claims(
    known: Judgments,
    stated: pl.DataFrame,
    blocks: Blocks,
    conventions: Conventions | None = None,
    *,
    where: str = "ranking",
) -> Judged:
    """As `judge`, where judgments name claims and lists name passages.

    `stated`: passage_id, claim_id. A claim stands at the rank of the first passage that states it,
    so that a cutoff counts the passages that somebody reads.
    """
    claims = known.frame.rename({"document_id": "claim_id", "grade": "judged"})
    pairs = claims.with_columns(query=pl.Series(known.query)).join(
        stated.select("passage_id", "claim_id").unique(), on="claim_id", how="inner"
    )
    # Lists are held against passages that carry a number in place of a grade. No id is empty: the
    # first rows hold no passage, but keep every query, in its order.
    queries = pl.DataFrame({"query_id": known.query_ids, "passage_id": ""})
    told = pairs.select(_PASSAGE).unique(maintain_order=True)
    passages = pl.concat([queries, told]).with_row_index("grade")
    standing = judge(
        Judgments.of(passages.rename({"passage_id": "document_id"})),
        blocks,
        conventions,
        where=where,
    )
    ranked = pl.DataFrame(
        {"grade": standing.rankings.grade, "rank": standing.rankings.rank},
        schema_overrides={"grade": pl.UInt32},
    )
    first = (
        pairs.join(passages, on=_PASSAGE, how="left")
        .join(ranked, on="grade", how="inner")
        .group_by("query", "claim_id")
        .agg(pl.col("rank").min(), pl.col("judged").first())
        .sort("query", "rank", "claim_id")
    )
    rankings: JudgedRankings = replace(
        standing.rankings,
        query=first["query"].to_numpy(),
        rank=first["rank"].to_numpy(),
        grade=first["judged"].to_numpy(),
        judged_query=known.query,
        judged_grade=known.grade,
        unjudged_query=None,
        unjudged_rank=None,
    )
    return replace(standing, rankings=rankings)
