"""Judged@k: how much of the top k did anybody judge?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, check_cutoff, measure_name


@dataclass(frozen=True, slots=True)
class Judged:
    """Results judged (grade 0 or higher) in the top `k`, divided by how many stand there.

    A query that returned nothing is undefined: there was nothing to judge. It measures the
    judgments, not the system, so there are no bounds over the unjudged.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    bounded: ClassVar[bool] = False
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "Results with a judgment of grade 0 or higher among the first k (k null: all), "
            "divided by the number of results there, which is k or the length of a shorter list; "
            "the mean of queries. It says how far the other measures beside it can be trusted. A "
            "query that returned nothing is undefined and set apart, a failed call is "
            "unmeasured."
        ),
        "zh": (
            "前 k 条结果（k 为 null 时为全部）中已标注（等级不低于 0）的条数，除以其中实有的条"
            "数（k，或较短列表的长度），再对各查询取平均。它说明旁边其他度量可信到什么程度。没"
            "有返回结果的查询无定义并单列，调用失败的查询不计分。"
        ),
    }
    k: int | None = 10

    def __post_init__(self) -> None:
        check_cutoff("judged", self.k)

    @property
    def name(self) -> str:
        return measure_name("judged", self.k)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        returned = judged.lengths(self.name)
        held = returned if self.k is None else np.minimum(returned, self.k)
        known = judged.found(self.k, min_grade=0)
        reason = "undefined: nothing was returned"
        return judged.ratio(
            self.name, self.version, known, held, when_undefined=reason, needs_relevant=False
        )
