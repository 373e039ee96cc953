"""F1@k: are the top k both precise and complete?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.cutoff import divisor
from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class F1:
    """The harmonic mean of precision and recall at `k`; 0 where nothing relevant was found.

    Of the whole list it has another name, set_f1. A query with no relevant document is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "2PR / (P + R) of precision P at k (divided by k) and recall R at k (divided by all "
            "documents judged relevant, grade min_grade or higher) of one query, 0 where both "
            "are 0; then the mean of queries, which is not the F1 of the mean precision and the "
            "mean recall. A query without a relevant document is undefined and set apart, a "
            "failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "单个查询的 2PR / (P + R)，其中 P 为前 k 条的精确率（除以 k），R 为前 k 条的召回率"
            "（除以全部等级不低于 min_grade 的相关文档），两者皆为 0 时计 0；再对各查询取平均，"
            "它不等于平均精确率与平均召回率的 F1。没有相关文档的查询无定义并单列，调用失败的查"
            "询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    min_grade: int = 1

    def __post_init__(self) -> None:
        self._divisor()

    @property
    def name(self) -> str:
        return measure_name("f1", self.k, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        relevant = judged.relevant(self.min_grade)
        # 2PR / (P + R) with P = found / k and R = found / relevant, cleared of fractions.
        values = 2 * judged.found(self.k, self.min_grade) / (self._divisor() + relevant)
        return judged.column(self.name, self.version, values, relevant > 0)

    def _divisor(self) -> int:
        return divisor("f1", self.k, "use set_f1 for the whole list")
