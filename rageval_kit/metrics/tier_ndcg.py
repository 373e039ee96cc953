"""Tier nDCG@k: does evidence of the higher tiers stand first?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.gain import discounted, ideal
from rageval_kit.ranking.promotions import Promotions, extreme_ndcg
from rageval_kit.ranking.tiers import Tiers
from rageval_kit.records.scores import (
    Floats,
    Ints,
    JudgedRankings,
    ScoreColumn,
    check_cutoff,
    measure_name,
)


@dataclass(frozen=True, slots=True)
class TierNDCG:
    """DCG at `k` with the weight of the tier as gain, divided by the DCG of the ideal ranking.

    The ideal is made of all judged evidence (3 core, 2 supporting, 1 marginal), found or not. A
    query with none is unmeasured; a grade above 3 is refused.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "The sum of weight / log2(rank + 1) over the first k results (weights as shipped: "
            "core 1.0, supporting 0.5, marginal 0.1; grades 3, 2, 1), divided by the same sum "
            "for all judged evidence of the query, highest tier first, cut at the same k; the "
            "mean of queries. A query without evidence is undefined and set apart, a failed call "
            "is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "前 k 条结果的 权重 / log2(排名 + 1) 之和（默认核心 1.0、支持 0.5、边缘 0.1，对应等"
            "级 3、2、1），除以该查询全部已标注证据按层级从高到低排列并同样截断于 k 时的和，再"
            "对各查询取平均。没有证据的查询无定义并单列，调用失败的查询不计分，返回空列表的查询"
            "计 0 分。"
        ),
    }
    k: int | None = 10
    core: float = 1.0
    supporting: float = 0.5
    marginal: float = 0.1

    def __post_init__(self) -> None:
        check_cutoff("tier_ndcg", self.k)
        _ = self._tiers

    @property
    def name(self) -> str:
        return measure_name("tier_ndcg", self.k) + self._tiers.suffix

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        weight = self._tiers.of(judged)
        gained, best = discounted(judged, self.k, weight), ideal(judged, self.k, weight)
        return judged.ratio(self.name, self.version, gained, best)

    def extreme(self, judged: JudgedRankings, query: Ints, rank: Ints, *, highest: bool) -> Floats:
        """The highest or lowest value over the unjudged results, added up one by one."""
        rows = Promotions.of(judged, self.k, query, rank, highest=highest)
        gain = self._tiers.of(judged)
        return extreme_ndcg(judged, self.k, gain, rows, discounted(judged, self.k, gain))

    @property
    def _tiers(self) -> Tiers:
        return Tiers(self.core, self.supporting, self.marginal)
