"""How well are permitted documents found, measured on the questions of the positive twins?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rageval_kit.records.decisions import MetricResult
from rageval_kit.records.scores import JudgedRankings
from rageval_kit.run.rows import FAILED, NO_LIST, CaseRow
from rageval_kit.stats import aggregate

UNRANKED: Mapping[int, str] = {
    FAILED: "failed: the call gave no usable reply",
    NO_LIST: "not_applicable: no list was retrieved for it",
}


def measure(metrics: Mapping[str, Any], rows: Sequence[CaseRow], seed: int) -> list[MetricResult]:
    """Each metric of the set over all twins' questions; one document is relevant to each.

    A run in which no twin asked anything has nothing to measure, and so no metric.
    """
    judged = judged_twins(rows)
    if not judged.n_queries:
        return []
    return [
        aggregate(metric(judged), getattr(metric, "definition", None), seed=seed)
        for metric in metrics.values()
    ]


def judged_twins(rows: Sequence[CaseRow]) -> JudgedRankings:
    """Query i is the i-th twin's question; its one relevant document stands at its rank, if any."""
    ranks = np.array([rank for row in rows for rank in row.ranks], dtype=np.int64)
    found = np.flatnonzero(ranks > 0)
    everyone = np.arange(len(ranks), dtype=np.int64)
    return JudgedRankings(
        n_queries=len(ranks),
        query=found.astype(np.int64),
        rank=ranks[found],
        grade=np.ones(len(found), dtype=np.int64),
        judged_query=everyone,
        judged_grade=np.ones(len(ranks), dtype=np.int64),
        unranked={int(i): UNRANKED[int(ranks[i])] for i in np.flatnonzero(ranks < 0)},
    )
