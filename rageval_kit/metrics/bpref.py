"""bpref: do judged relevant documents stand before judged non-relevant ones?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rageval_kit.records.scores import JudgedRankings, ScoreColumn, measure_name, places


@dataclass(frozen=True, slots=True)
class Bpref:
    """Binary preference as trec_eval computes it, on judged results alone.

    Non-relevant is a grade from 0 to below `min_grade`; grades below 0 and what nobody judged are
    passed over, so there are no bounds over the unjudged. A query with no relevant document is
    unmeasured.
    """

    version: ClassVar[int] = 1
    grains: ClassVar[frozenset[str]] = frozenset({"document", "passage"})
    bounded: ClassVar[bool] = False
    definition: ClassVar[Mapping[str, str]] = {
        "en": (
            "With R documents judged relevant (grade min_grade or higher) and N judged not "
            "relevant (grade 0 up to below min_grade): for each relevant document returned, 1 - "
            "min(R, non-relevant ones above it) / min(R, N), and 1 if none is above it; their "
            "sum divided by R; the mean of queries. Results nobody judged, or judged below 0, "
            "are passed over. It is not a break-even point. A query without a relevant document "
            "is undefined and set apart, a failed call is unmeasured, an empty result list "
            "scores 0."
        ),
        "zh": (
            "设有 R 个被判为相关（等级不低于 min_grade）的文档、N 个被判为不相关（等级从 0 到低"
            "于 min_grade）的文档：对每个返回的相关文档取 1 - min(R, 其上方的不相关文档数) / "
            "min(R, N)，上方没有不相关文档时取 1；求和后除以 R，再对各查询取平均。未标注或等级"
            "低于 0 的结果略过。它不是“损益平衡点”。没有相关文档的查询无定义并单列，调用失败"
            "的查询不计分，返回空列表的查询计 0 分。"
        ),
    }
    min_grade: int = 1

    @property
    def name(self) -> str:
        return measure_name("bpref", None, self.min_grade)

    def __call__(self, judged: JudgedRankings) -> ScoreColumn:
        relevant = judged.relevant(self.min_grade)
        nonrelevant = judged.relevant(0) - relevant
        kept = judged.grade >= 0
        query, hit = judged.query[kept], judged.grade[kept] >= self.min_grade
        found = query[hit]
        above = places(query)[hit] - places(found)
        worst = np.minimum(relevant, nonrelevant)[found]
        lost = np.minimum(above, relevant[found]) / np.maximum(worst, 1)  # none above: none lost
        kept_preferences = judged.total(found, 1 - lost)
        return judged.ratio(self.name, self.version, kept_preferences, relevant)
