"""How are the scores of a run written down, one line for each query and metric?"""

import io
from collections.abc import Sequence

import numpy as np

from rageval_kit.run.measure import ScoreTable


def scores_parquet(tables: Sequence[ScoreTable]) -> bytes:
    """Columns over, query_id, metric, identity, value, reason: a value, or the reason of none.

    Uncompressed, so that the search of the archive for secrets and canaries sees what stands in it.
    """
    import polars as pl

    lines: dict[str, list[object]] = {
        name: [] for name in ("over", "query_id", "metric", "identity", "value", "reason")
    }
    for table in tables:
        for column in table.columns:
            usable = column.measured & np.isfinite(column.values)
            n = len(table.query_ids)
            lines["over"] += [table.over] * n
            lines["query_id"] += table.query_ids
            lines["metric"] += [column.metric] * n
            lines["identity"] += [column.identity] * n
            values = zip(column.values.tolist(), usable.tolist(), strict=True)
            lines["value"] += [value if there else None for value, there in values]
            lines["reason"] += [
                None if there else column.reasons.get(i, "failed: not a finite number")
                for i, there in enumerate(usable.tolist())
            ]
    schema = {name: pl.Float64 if name == "value" else pl.String for name in lines}
    buffer = io.BytesIO()
    pl.DataFrame(lines, schema=schema).write_parquet(
        buffer, compression="uncompressed", use_pyarrow=False
    )
    return buffer.getvalue()
