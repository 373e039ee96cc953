"""HitRate@k: did at least one relevant document reach the top k?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, check_cutoff, measure_name


@dataclass(frozen=True, slots=True)
class HitRate:
    """1 if a document of `min_grade` or higher stands in the top `k`, else 0.

    A query with no relevant document is unmeasured: it could never be a hit.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage", "claim"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "1 if at least one document judged relevant (grade min_grade or higher) is among the "
            "first k results, otherwise 0; the mean is the share of queries with a hit. One hit "
            "does not mean that a question needing several documents is served. A query without a "
            "relevant document is undefined and set apart, a failed call is unmeasured, an empty "
            "result list scores 0."
        ),
        "zh": (
            "前 k 条结果中至少有一条被判为相关（等级不低于 min_grade）计 1，否则计 0；平均值即命中"
            "查询所占比例。命中一条并不表示需要多份证据的问题已得到满足。没有相关文档的查询无定义并"
            "单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    min_grade: int = 1

    def __post_init__(self) -> None:
        check_cutoff("hit_rate", self.k)

    @property
    def name(self) -> str:
        return measure_name("hit_rate", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        hit = (judged.found(self.k, self.min_grade) > 0).astype(np.int64)
        defined = judged.relevant(self.min_grade) > 0
        return judged.column(self.name, self.version, hit, defined)
