"""Average precision: are the relevant documents all found, and all early?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.ranking.promotions import Promotions, rows_until
from rageval_kit.records.scores import (
    Floats,
    Ints,
    JudgedRankings,
    ScoreColumn,
    check_cutoff,
    measure_name,
    places,
)


@dataclass(frozen=True, slots=True)
class AP:
    """The precision at each relevant document of the top `k`, summed, over all relevant documents.

    Divides by every relevant document, not by those found nor by min(k, relevant); its mean over
    queries is known as MAP. A query with none is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "For each document judged relevant (grade min_grade or higher) among the first k "
            "results (k null: the whole list), the share of relevant documents up to its rank; "
            "their sum divided by all documents judged relevant for the query, found or not. The "
            "mean of queries is MAP. Other tools divide by min(k, relevant): their AP@k is "
            "another measure. A query without a relevant document is undefined and set apart, a "
            "failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "对前 k 条结果（k 为 null 时为整个列表）中每个被判为相关（等级不低于 min_grade）的"
            "文档，取截至其排名的相关文档占比；求和后除以该查询全部被判为相关的文档数，无论是否"
            "找到。对各查询取平均即 MAP。有的工具除以 min(k, 相关数)，其 AP@k 是另一种度量。没"
            "有相关文档的查询无定义并单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = None
    min_grade: int = 1

    def __post_init__(self) -> None:
        check_cutoff("ap", self.k)

    @property
    def name(self) -> str:
        return measure_name("ap", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        hit = judged.hits(self.k, self.min_grade)
        query = judged.query[hit]
        precisions = judged.total(query, places(query) / judged.rank[hit])
        return judged.ratio(self.name, self.version, precisions, judged.relevant(self.min_grade))

    def extreme(self, judged: JudgedRankings, query: Ints, rank: Ints, *, highest: bool) -> Floats:
        """The highest or lowest value, with m of a list's unjudged results judged relevant.

        Each result that becomes relevant brings its own precision and adds 1 / rank to that of
        every relevant one after it, so all m are had by adding up: one sum for each such result.
        """
        relevant = judged.relevant(self.min_grade)
        if not relevant.any():  # the highest grade met is not relevant either
            return np.zeros(judged.n_queries)
        hit = judged.hits(self.k, self.min_grade)
        hits = judged.query[hit], judged.rank[hit]
        rows = Promotions.of(judged, self.k, query, rank, highest=highest)
        query, rank = rows.query, rows.rank
        start, here, end = (
            rows_until(*hits, query, to) for to in (0, rank, hits[1].max(initial=0))
        )
        reciprocals = np.concatenate(([0.0], np.cumsum(1 / hits[1])))
        if highest:
            gained = (here - start + rows.turn) / rank
        else:  # those that became relevant before stand after it
            gained = (here - start) / rank + rows.running(1 / rank)
        gained += reciprocals[end] - reciprocals[here]
        plain = judged.total(hits[0], places(hits[0]) / hits[1])
        values = (plain[query] + rows.running(gained)) / (relevant[query] + rows.promoted)
        return rows.extreme(plain / np.maximum(relevant + rows.before, 1), values)
