"""Precision@k: how much of the top k is relevant?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.cutoff import divisor
from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class Precision:
    """Documents of `min_grade` or higher in the top `k`, divided by `k` however few came back.

    Divided by what came back it has another name, set_precision. A query with no relevant document
    is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "Documents judged relevant (grade min_grade or higher) among the first k results, "
            "divided by k, also where fewer than k came back; the mean of queries. A result "
            "nobody judged counts as not relevant unless the convention named beside the value "
            "says otherwise. A query without a relevant document is undefined and set apart, a "
            "failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "前 k 条结果中被判为相关（等级不低于 min_grade）的文档数除以 k，返回不足 k 条时仍除"
            "以 k，再对各查询取平均。未标注的结果按不相关计，除非数值旁所列约定另有说明。没有相"
            "关文档的查询无定义并单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    min_grade: int = 1

    def __post_init__(self) -> None:
        self._divisor()

    @property
    def name(self) -> str:
        return measure_name("precision", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        found = judged.found(self.k, self.min_grade)
        defined = judged.relevant(self.min_grade) > 0
        return judged.column(self.name, self.version, found / self._divisor(), defined)

    def _divisor(self) -> int:
        return divisor("precision", self.k, "use set_precision for the whole list")
