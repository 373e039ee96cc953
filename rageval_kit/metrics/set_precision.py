"""Set precision: how much of what came back is relevant?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name


@dataclass(frozen=True, slots=True)
class SetPrecision:
    """Documents of `min_grade` or higher in the whole list, divided by the length of the list.

    An empty list scores 0. A query with no relevant document is unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    rising: ClassVar[bool] = True
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "Documents judged relevant (grade min_grade or higher) among all results returned, "
            "divided by the number returned, whatever their order; the mean of queries. Lists of "
            "different length are divided by different numbers: with a fixed cutoff use "
            "precision. A query without a relevant document is undefined and set apart, a failed "
            "call is unmeasured, an empty result list scores 0."
        ),
        "zh": (
            "全部返回结果中被判为相关（等级不低于 min_grade）的文档数除以返回条数，与次序无关，"
            "再对各查询取平均。列表长度不同则除数不同；需要固定截断时请用 precision。没有相关文"
            "档的查询无定义并单列，调用失败的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    min_grade: int = 1

    @property
    def name(self) -> str:
        return measure_name("set_precision", None, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        returned = judged.lengths(self.name)
        values = judged.found(None, self.min_grade) / np.maximum(returned, 1)
        defined = judged.relevant(self.min_grade) > 0
        return judged.column(self.name, self.version, values, defined)
