"""Scores by query as the archive and `score` write them: a value, or the reason of none."""

import io

import numpy as np
import polars as pl

from rageval_kit.records.scores import ScoreColumn
from rageval_kit.run.measure import ScoreTable
from rageval_kit.run.score_table import scores_parquet, values

COLUMN = ScoreColumn(
    "ap",
    np.array([0.5, np.inf, 0.0, 0.0, 0.0]),
    np.array([True, True, False, False, True]),
    {2: "failed: the call gave no usable reply"},
    "ap version=1 …",
)
IDS = ("q1", "q2", "q3", "q4", "q5")
REASONS = [
    None,
    "failed: not a finite number",
    "failed: the call gave no usable reply",
    "unmeasured",
    None,
]


def test_what_is_no_finite_number_has_a_reason_and_no_value():
    frame = values(("run", "bm25"), IDS, [COLUMN], [3, 3, 3, 3, 0])
    assert frame.columns == [
        *("run", "query_id", "metric", "identity", "value", "reason", "returned", "note"),
    ]
    assert frame["value"].to_list() == [0.5, None, None, None, 0.0]
    assert frame["reason"].to_list() == REASONS
    assert frame["note"].to_list() == ["", "", "", "", "no_results"]


def test_the_archive_holds_the_same_columns_but_for_the_lists():
    packed = scores_parquet([ScoreTable("samples", IDS, (COLUMN,)), ScoreTable("twins", (), ())])
    frame = pl.read_parquet(io.BytesIO(packed))
    assert frame.columns == ["over", "query_id", "metric", "identity", "value", "reason"]
    assert frame["reason"].to_list() == REASONS
    assert set(frame["over"]) == {"samples"}
    empty = pl.read_parquet(io.BytesIO(scores_parquet([])))
    assert (empty.height, empty.columns) == (0, frame.columns)
