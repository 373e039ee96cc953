"""Unjudged@k: how much of the top k did nobody judge?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.ranking.cutoff import divisor
from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Results that nobody judged, or judged below 0, in the top `k`, divided by `k`.

    Where fewer than `k` came back it is not 1 - judged@k, which divides by what came back. It has a
    value for every query, and no bounds over the unjudged: it counts them.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    bounded: ClassVar[bool] = False
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "Results without a judgment, or with one below 0, among the first k, divided by k, "
            "also where fewer than k came back; the mean of queries. A high value says that the "
            "judgments cover this system badly. An empty result list scores 0, a failed call is "
            "unmeasured."
        ),
        "zh": (
            "前 k 条结果中未标注或等级低于 0 的条数除以 k，返回不足 k 条时仍除以 k，再对各查询"
            "取平均。数值高说明标注对该系统覆盖不足。返回空列表的查询计 0，调用失败的查询不计"
            "分。"
        ),
    }
    k: int | None = 10

    def __post_init__(self) -> None:
        self._divisor()

    @property
    def name(self) -> str:
        return measure_name("unjudged", self.k)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        k = self._divisor()
        held = np.minimum(judged.lengths(self.name), k)
        values = (held - judged.found(k, min_grade=0)) / k
        always = np.ones(judged.n_queries, dtype=bool)
        return judged.column(self.name, self.version, values, always)

    def _divisor(self) -> int:
        return divisor("unjudged", self.k, "use judged for the whole list")
