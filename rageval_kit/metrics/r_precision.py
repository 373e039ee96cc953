"""R-precision: of R relevant documents, how many stand in the first R results?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.ranking.promotions import rows_until
from rageval_kit.records.scores import (
    Floats,
    Ints,
    JudgedRankings,
    ScoreColumn,
    measure_name,
    places,
)


@dataclass(frozen=True, slots=True)
class RPrecision:
    """Precision at R, the number of documents of `min_grade` or higher; there it equals recall.

    A query with no relevant document is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "With R documents judged relevant for the query (grade min_grade or higher): how "
            "many of the first R results are relevant, divided by R, also where fewer than R "
            "came back; the mean of queries. A query without a relevant document is undefined "
            "and set apart, a failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "设该查询有 R 个被判为相关（等级不低于 min_grade）的文档：前 R 条结果中的相关文档数"
            "除以 R，返回不足 R 条时仍除以 R，再对各查询取平均。没有相关文档的查询无定义并单"
            "列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    min_grade: int = 1

    @property
    def name(self) -> str:
        return measure_name("r_precision", None, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        relevant = judged.relevant(self.min_grade)
        hit = judged.hits(None, self.min_grade)
        early = judged.rank[hit] <= relevant[judged.query[hit]]
        found = judged.count(judged.query[hit][early])
        return judged.ratio(self.name, self.version, found, relevant)

    def extreme(self, judged: JudgedRankings, query: Ints, rank: Ints, *, highest: bool) -> Floats:
        """The highest or lowest value, with m of a list's unjudged results judged relevant.

        The first R + m results are then looked at, and hold as many of the m as the first (or last)
        m unjudged results have there: one sum for each result that nobody judged.
        """
        relevant, unjudged = judged.relevant(self.min_grade), judged.count(query)
        if not relevant.any():  # the highest grade met is not relevant either
            return np.zeros(judged.n_queries)
        of = np.repeat(np.arange(judged.n_queries), unjudged + 1)
        m = places(of) - 1
        cut = relevant[of] + m
        hit = judged.hits(None, self.min_grade)
        found, seen = (
            rows_until(*rows, of, cut) - rows_until(*rows, of, 0)
            for rows in ((judged.query[hit], judged.rank[hit]), (query, rank))
        )
        new = np.minimum(m, seen) if highest else np.maximum(seen - unjudged[of] + m, 0)
        values = (found + new) / np.maximum(cut, 1)
        starts = np.flatnonzero(m == 0)
        best: Floats = (np.maximum if highest else np.minimum).reduceat(values, starts)
        return best
