"""How are scores by query written down, one line for each query and measure?"""

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rageval_kit.records.scores import ScoreColumn

if TYPE_CHECKING:
    import polars as pl

    from rageval_kit.run.measure import ScoreTable

_NOT_FINITE = "failed: not a finite number"


def values(
    whose: tuple[str, str],
    query_ids: Sequence[str],
    columns: Iterable[ScoreColumn],
    returned: Sequence[int] | None = None,
) -> "pl.DataFrame":
    """A value, or the reason of none, beside the measure's identity.

    `whose` is the name of the first column and what stands in it. `returned`, where it is known, is
    the length of each list; a query without any result is measured, and `note` says so.
    """
    import polars as pl

    column_of, whom = whose
    n = len(query_ids)
    ids = pl.Series("query_id", query_ids, dtype=pl.String)
    frames = []
    of_lists = {}
    if returned is not None:
        lengths = pl.Series("returned", returned, dtype=pl.Int64)
        notes = pl.select(pl.when(lengths == 0).then(pl.lit("no_results")).otherwise(pl.lit("")))
        of_lists = {"returned": lengths, "note": notes.to_series()}
    for one in columns:
        usable = one.measured & np.isfinite(one.values)
        reasons: list[str | None] = [None] * n
        for i in np.flatnonzero(~usable).tolist():
            why = one.reasons.get(i, "unmeasured")
            reasons[i] = _NOT_FINITE if one.measured[i] else why
        cells = {
            column_of: pl.repeat(whom, n, dtype=pl.String, eager=True),
            "query_id": ids,
            "metric": pl.repeat(one.metric, n, dtype=pl.String, eager=True),
            "identity": pl.repeat(one.identity, n, dtype=pl.String, eager=True),
            "value": pl.Series(np.where(usable, one.values, 0.0)).set(pl.Series(~usable), None),
            "reason": pl.Series(reasons, dtype=pl.String),
        }
        frames.append(pl.DataFrame(cells | of_lists))
    kept = ("query_id", "metric", "identity", "value", "reason")
    empty = {name: pl.Float64 if name == "value" else pl.String for name in (column_of, *kept)}
    return pl.concat(frames) if frames else pl.DataFrame(schema=empty)


def scores_parquet(tables: "Sequence[ScoreTable]") -> bytes:
    """Columns over, query_id, metric, identity, value, reason: a value, or the reason of none.

    Uncompressed, so that the search of the archive for secrets and canaries sees what stands in it.
    """
    import polars as pl

    frames = [values(("over", one.over), one.query_ids, one.columns) for one in tables]
    whole = pl.concat(frames) if frames else values(("over", ""), (), ())
    buffer = io.BytesIO()
    whole.write_parquet(buffer, compression="uncompressed", use_pyarrow=False)
    return buffer.getvalue()
