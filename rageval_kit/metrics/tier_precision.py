"""Tier precision@k: how much evidence do the top k hold, by the weight of its tier?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rageval_kit.ranking.cutoff import divisor
from rageval_kit.ranking.tiers import Tiers
from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class TierPrecision:
    """Weights of the evidence in the top `k` (3 core, 2 supporting, 1 marginal), divided by `k`.

    A query with no evidence of any tier is unmeasured; a grade above 3 is refused.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "The sum of the weights of the evidence among the first k results (as shipped: core "
            "1.0, supporting 0.5, marginal 0.1; grades 3, 2, 1), divided by k, also where fewer "
            "than k came back; the mean of queries. A query without evidence is undefined and "
            "set apart, a failed call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "前 k 条结果中各证据的权重之和（默认核心 1.0、支持 0.5、边缘 0.1，对应等级 3、2、"
            "1）除以 k，返回不足 k 条时仍除以 k，再对各查询取平均。没有证据的查询无定义并单列，"
            "调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    core: float = 1.0
    supporting: float = 0.5
    marginal: float = 0.1

    def __post_init__(self) -> None:
        self._divisor()
        _ = self._tiers

    @property
    def name(self) -> str:
        return measure_name("tier_precision", self.k) + self._tiers.suffix

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        hit = judged.hits(self.k)
        weights = judged.total(judged.query[hit], self._tiers.of(judged)(judged.grade[hit]))
        defined = judged.relevant() > 0
        return judged.column(self.name, self.version, weights / self._divisor(), defined)

    def _divisor(self) -> int:
        return divisor("tier_precision", self.k, "give a cutoff")

    @property
    def _tiers(self) -> Tiers:
        return Tiers(self.core, self.supporting, self.marginal)
