"""dcg@k: how much graded relevance stands near the top?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.gain import discounted, exponential
from rageval_kit.records.scores import JudgedRankings, ScoreColumn, check_cutoff, measure_name


@dataclass(frozen=True, slots=True)
class DCG:
    """The sum of gain / log2(rank + 1) over the top `k`, with gain 2^grade - 1.

    No ideal divides it, so it has no upper limit and depends on how many documents are relevant:
    compare it within one query. A query with no positive grade is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "The sum of gain / log2(rank + 1) over the first k results (k null: all); the mean "
            "of queries. The gain is 2^grade - 1, 0 for a grade of 0 or below and for a result "
            "nobody judged. It is not held between 0 and 1, and queries with more or better "
            "judged documents weigh more in the mean. A query without a positive grade is "
            "undefined and set apart, a failed call is unmeasured, an empty result list scores "
            "0."
        ),
        "zh": (
            "前 k 条结果（k 为 null 时为全部）的 增益 / log2(排名 + 1) 之和，再对各查询取平均。"
            "增益为2^等级 - 1；等级为 0 或以下以及未标注的结果增益为 0。其值不限于 0 到 1，相关"
            "文档更多或等级更高的查询在平均中权重更大。没有正等级的查询无定义并单列，调用失败的"
            "查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10

    def __post_init__(self) -> None:
        check_cutoff("dcg", self.k)

    @property
    def name(self) -> str:
        return measure_name("dcg", self.k)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        gained = discounted(judged, self.k, exponential)
        defined = judged.relevant() > 0
        return judged.column(self.name, self.version, gained, defined, unit_interval=False)
