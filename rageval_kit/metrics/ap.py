"""Average precision: are the relevant documents all found, and all early?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.records.scores import (
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
