"""Which are the first results of every list, ordered once?"""

import numpy as np
import polars as pl

from rageval_kit.ranking.judge import Blocks, judge
from rageval_kit.ranking.judgments import Judgments
from rageval_kit.records.conventions import Conventions

_NONE = {"query_id": pl.String, "document_id": pl.String, "grade": pl.Int64}


def top(
    blocks: Blocks, depth: int, conventions: Conventions | None = None, *, where: str = "ranking"
) -> pl.DataFrame:
    """query_id, document_id, rank of the first `depth` of every list, by list, then rank."""
    nothing = Judgments.of(pl.DataFrame(schema=_NONE))
    rows = judge(nothing, blocks, conventions, where=where, top=depth).notes.top
    order = np.lexsort((rows["rank"].to_numpy(), rows["query_id"].rle_id().to_numpy()))
    return rows[order]
