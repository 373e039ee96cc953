"""Tier recall@k: how much of the known evidence reached the top k, by its tier?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from rageval_kit.ranking.tiers import CORE, Tiers
from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import (
    Floats,
    Ints,
    JudgedRankings,
    ScoreColumn,
    check_cutoff,
    measure_name,
)


@dataclass(frozen=True, slots=True)
class TierRecall:
    """Recall of evidence graded in tiers: 3 core, 2 supporting, 1 marginal.

    `count` core: numerator and denominator count core evidence only; weighted: both add the weights
    of all tiers, and the name says so. A query without what is counted is unmeasured; a grade above
    3 is refused.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage", "claim"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "With count core: core evidence (grade 3) among the first k results, divided by all "
            "core evidence of the query; supporting and marginal evidence counts neither above "
            "nor below the line. With count weighted (then part of the name): the weights of the "
            "evidence found (as shipped: core 1.0, supporting 0.5, marginal 0.1; grades 3, 2, 1) "
            "divided by the weights of all evidence. The mean of queries. A query without such "
            "evidence is undefined and set apart, a failed call is unmeasured, an empty result "
            "list scores 0."
        ),
        "zh": (
            "count 为 core 时：前 k 条结果中的核心证据（等级 3）数除以该查询全部核心证据数，支"
            "持与边缘证据既不计入分子也不计入分母。count 为 weighted 时（名称中注明）：找到的证"
            "据的权重之和（默认核心 1.0、支持 0.5、边缘 0.1，对应等级 3、2、1）除以全部证据的权"
            "重之和。再对各查询取平均。没有此类证据的查询无定义并单列，调用失败的查询不计分，返"
            "回空列表的查询计 0 分。"
        ),
    }
    k: int | None = 10
    count: Literal["core", "weighted"] = "core"
    core: float = 1.0
    supporting: float = 0.5
    marginal: float = 0.1

    def __post_init__(self) -> None:
        check_cutoff("tier_recall", self.k)
        if self.count not in ("core", "weighted"):
            problem, met = "count is not known here", repr(self.count)
            raise InputError.one("tier_recall", problem, met, "core or weighted")
        _ = self._tiers

    @property
    def name(self) -> str:
        name = measure_name("tier_recall", self.k)
        return name if self.count == "core" else f"{name}[weighted]{self._tiers.suffix}"

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        hit = judged.hits(self.k)
        found = self._worth(judged, judged.query[hit], judged.grade[hit])
        known = self._worth(judged, judged.judged_query, judged.judged_grade)
        reason = "undefined: no document is judged core evidence"
        if self.count == "weighted":
            reason = "undefined: no document is judged evidence of any tier"
        return judged.ratio(self.name, self.version, found, known, when_undefined=reason)

    @property
    def _tiers(self) -> Tiers:
        return Tiers(self.core, self.supporting, self.marginal)

    def _worth(self, judged: JudgedRankings, query: Ints, grade: Ints) -> Floats:
        """Weights added tier by tier, so that finding all of it is 1 to the last bit."""
        weights = self._tiers.of(judged)(np.arange(CORE + 1))
        if self.count == "core":
            weights = np.array([0.0, 0.0, 0.0, 1.0])
        tiers = [weights[tier] * judged.count(query[grade == tier]) for tier in range(1, CORE + 1)]
        worth: Floats = np.sum(tiers, axis=0)
        return worth
