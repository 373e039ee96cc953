"""Set F1: is what came back both precise and complete?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class SetF1:
    """The harmonic mean of precision and recall of the whole list, whatever its order.

    A query with no relevant document is unmeasured; one that returned nothing scores 0.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "2PR / (P + R) of precision P (relevant documents returned, divided by the number "
            "returned) and recall R (divided by all documents judged relevant, grade min_grade "
            "or higher) of the whole list, 0 where both are 0; the mean of queries. A query "
            "without a relevant document is undefined and set apart, a failed call is "
            "unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "整个返回列表的 2PR / (P + R)，其中 P 为返回的相关文档数除以返回条数，R 为其除以全"
            "部等级不低于 min_grade 的相关文档数，两者皆为 0 时计 0；再对各查询取平均。没有相关"
            "文档的查询无定义并单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    min_grade: int = 1

    @property
    def name(self) -> str:
        return measure_name("set_f1", None, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        relevant = judged.relevant(self.min_grade)
        both = judged.lengths(self.name) + relevant
        values = 2 * judged.found(None, self.min_grade) / np.maximum(both, 1)
        return judged.column(self.name, self.version, values, relevant > 0)
