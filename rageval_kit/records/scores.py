"""One metric over many queries: a value for each, or the reason there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """`values[i]` belongs to query `i`; where `measured[i]` is false, `reasons[i]` says why."""

    metric: str
    values: NDArray[np.float64]
    measured: NDArray[np.bool_]
    reasons: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def ratio(
        cls,
        metric: str,
        part: NDArray[np.int64],
        whole: NDArray[np.int64],
        *,
        when_zero: str,
        unranked: Mapping[int, str] | None = None,
    ) -> "ScoreColumn":
        """`part / whole`; queries whose `whole` is 0 are unmeasured because of `when_zero`.

        Queries named in `unranked` are unmeasured too, and that reason stands before the other.
        """
        measured = whole > 0
        reasons = {int(i): when_zero for i in np.flatnonzero(~measured)}
        for i, why in (unranked or {}).items():
            measured[i] = False
            reasons[i] = why
        values = np.divide(part, whole, out=np.zeros(len(whole)), where=measured)
        return cls(metric, values, measured, reasons)


@dataclass(frozen=True, slots=True)
class JudgedRankings:
    """Rankings ranked once and joined with the judgments: judged results only, as columns.

    `query`, `rank` (1-based) and `grade` are parallel; `judged_query`, `judged_grade` list every
    judgment. `unranked[i]` is the code and text of why query `i` has no ranking (`failed: …`).
    """

    n_queries: int
    query: NDArray[np.int64]
    rank: NDArray[np.int64]
    grade: NDArray[np.int64]
    judged_query: NDArray[np.int64]
    judged_grade: NDArray[np.int64]
    unranked: Mapping[int, str] = field(default_factory=dict)

    def relevant(self, min_grade: int = 1) -> NDArray[np.int64]:
        """How many documents are judged relevant, per query: shape (n_queries,)."""
        hits = self.judged_query[self.judged_grade >= min_grade]
        return np.bincount(hits, minlength=self.n_queries).astype(np.int64)

    def found(self, k: int, min_grade: int = 1) -> NDArray[np.int64]:
        """How many relevant documents stand in the top `k`, per query: shape (n_queries,)."""
        hits = self.query[(self.rank <= k) & (self.grade >= min_grade)]
        return np.bincount(hits, minlength=self.n_queries).astype(np.int64)
