"""ndcg_linear@k: how near is the order of the grades to the best there could be?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.gain import discounted, ideal, linear
from rageval_kit.ranking.promotions import Promotions, extreme_ndcg
from rageval_kit.records.scores import (
    Floats,
    Ints,
    JudgedRankings,
    ScoreColumn,
    check_cutoff,
    measure_name,
)


@dataclass(frozen=True, slots=True)
class NDCGLinear:
    """DCG at `k` with gain the grade, divided by the DCG of the ideal ranking.

    The ideal is made of all judged documents, found or not. Grades below 0 gain nothing; a query
    with no positive grade is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "The sum of gain / log2(rank + 1) over the first k results (k null: all), divided by "
            "the same sum for all judged documents of the query, best grade first, cut at the "
            "same k; the mean of queries. The gain is the grade, 0 for a grade of 0 or below and "
            "for a result nobody judged. With 2^grade - 1 as gain it is ndcg. A query without a "
            "positive grade is undefined and set apart, a failed call is unmeasured, an empty "
            "result list scores 0."
        ),
        "zh": (
            "前 k 条结果（k 为 null 时为全部）的 增益 / log2(排名 + 1) 之和，除以该查询全部已标"
            "注文档按等级从高到低排列并同样截断于 k 时的和，再对各查询取平均。增益为等级本身；"
            "等级为 0 或以下以及未标注的结果增益为 0。以 2^等级 - 1 为增益者是 ndcg。没有正等级"
            "的查询无定义并单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10

    def __post_init__(self) -> None:
        check_cutoff("ndcg_linear", self.k)

    @property
    def name(self) -> str:
        return measure_name("ndcg_linear", self.k)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        gained = discounted(judged, self.k, linear)
        best = ideal(judged, self.k, linear)
        return judged.ratio(self.name, self.version, gained, best)

    def extreme(self, judged: JudgedRankings, query: Ints, rank: Ints, *, highest: bool) -> Floats:
        """The highest or lowest value over the unjudged results, added up one by one."""
        rows = Promotions.of(judged, self.k, query, rank, highest=highest)
        gain = linear
        return extreme_ndcg(judged, self.k, gain, rows, discounted(judged, self.k, gain))
