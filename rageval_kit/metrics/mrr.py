"""MRR@k: how early does the first relevant document stand?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, check_cutoff, measure_name


@dataclass(frozen=True, slots=True)
class MRR:
    """1 / rank of the first document of `min_grade` or higher in the top `k`; 0 if there is none.

    A query with no relevant document is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage", "claim"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "1 divided by the rank of the first document judged relevant (grade min_grade or "
            "higher) among the first k results, 0 if there is none; the mean of queries. Later "
            "relevant documents do not count. A query without a relevant document is undefined and "
            "set apart, a failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "前 k 条结果中首个被判为相关（等级不低于 min_grade）的文档排名的倒数，没有则为 0，再对"
            "各查询取平均。其后的相关文档不计入。没有相关文档的查询无定义并单列，调用失败的查询不计分，"
            "返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    min_grade: int = 1

    def __post_init__(self) -> None:
        check_cutoff("mrr", self.k)

    @property
    def name(self) -> str:
        return measure_name("mrr", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        hit = judged.hits(self.k, self.min_grade)
        none = np.iinfo(np.int64).max
        first = np.full(judged.n_queries, none)
        np.minimum.at(first, judged.query[hit], judged.rank[hit])
        values = np.where(first < none, 1 / first, 0.0)
        return judged.column(self.name, self.version, values, judged.relevant(self.min_grade) > 0)
