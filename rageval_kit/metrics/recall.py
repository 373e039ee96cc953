"""Recall@k: the share of the known relevant documents that reached the top k."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, check_cutoff, measure_name


@dataclass(frozen=True, slots=True)
class Recall:
    """Recall at cutoff `k` (None: the whole list), counting grades of `min_grade` and above.

    Divides by every relevant document, not by min(k, relevant). A query with none is unmeasured; a
    query that returned nothing scores 0.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage", "claim"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "Documents judged relevant (grade min_grade or higher) among the first k results, "
            "divided by all documents judged relevant for the query; the mean of queries. It is "
            "relative to what was judged. A query without a relevant document is undefined and set "
            "apart, a failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "前 k 条结果中被判为相关（等级不低于 min_grade）的文档数，除以该查询全部被判为相关的"
            "文档数，再对各查询取平均。该值相对于已标注的范围。没有相关文档的查询无定义并单列，"
            "调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    min_grade: int = 1

    def __post_init__(self) -> None:
        check_cutoff("recall", self.k)

    @property
    def name(self) -> str:
        return measure_name("recall", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        found = judged.found(self.k, self.min_grade)
        return judged.ratio(self.name, self.version, found, judged.relevant(self.min_grade))
