"""What do lists come to as one unjudged result after another is judged relevant?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.ranking.gain import Gain
from rageval_kit.records.scores import Floats, Ints, JudgedRankings, places


@dataclass(frozen=True, slots=True)
class Promotions:
    """Row after row, one more result of `query`, at `rank`, is judged relevant: its `turn`-th.

    For the highest value from the top of the first `k`, for the lowest from their end; there all
    results below `k` are judged relevant `before` the first row, as many as that says per query.
    """

    query: Ints
    rank: Ints
    turn: Ints
    before: Ints
    highest: bool

    @classmethod
    def of(
        cls, judged: JudgedRankings, k: int | None, query: Ints, rank: Ints, *, highest: bool
    ) -> "Promotions":
        """From all unjudged results, in any order."""
        inside = np.ones(len(rank), dtype=bool) if k is None else rank <= k
        before = judged.count(query[:0] if highest else query[~inside])
        query, rank = query[inside], rank[inside]
        order = np.lexsort((rank if highest else -rank, query))
        query, rank = query[order], rank[order]
        return cls(query, rank, places(query), before, highest)

    @property
    def promoted(self) -> Ints:
        """How many results of the row's list are judged relevant by now."""
        return self.before[self.query] + self.turn

    def running(self, values: Floats) -> Floats:
        """The sum of the list's values so far, this row's included."""
        sums = np.concatenate(([0.0], np.cumsum(values)))
        row = np.arange(len(values))
        so_far: Floats = sums[row + 1] - sums[row + 1 - self.turn]
        return so_far

    def extreme(self, start: Floats, values: Floats) -> Floats:
        """Per query, of its `start` and the values of its rows."""
        best = start.copy()
        (np.maximum if self.highest else np.minimum).at(best, self.query, values)
        return best


def extreme_ndcg(
    judged: JudgedRankings, k: int | None, gain: Gain, rows: Promotions, gained: Floats
) -> Floats:
    """Of gain over that of the ideal list, which the promoted results lead: no grade is higher.

    `gained` is what the lists come to without them. The judged results follow in the ideal list,
    grade by grade, so that one sum for each grade and promotion is all it costs.
    """
    worth = float(gain(judged.judged_grade.max(initial=0, keepdims=True))[0])
    longest = int((judged.count(judged.judged_query) + judged.count(rows.query)).max(initial=0))
    longest += int(rows.before.max(initial=0))
    discounts = 1 / np.log2(np.arange(2, longest + 2))
    if k is not None:
        discounts[k:] = 0
    reached = np.concatenate(([0.0], np.cumsum(discounts)))  # by the first 0, 1, 2 … ranks
    grades = np.unique(judged.judged_grade)[::-1]
    of_grade = [judged.count(judged.judged_query[judged.judged_grade == one]) for one in grades]

    def ideal(promoted: Ints, query: Ints) -> Floats:
        total, place = worth * reached[promoted], promoted
        for value, each in zip(gain(grades).tolist(), of_grade, strict=True):
            following = place + each[query]
            total += value * (reached[following] - reached[place])
            place = following
        return total

    def over(part: Floats, whole: Floats) -> Floats:
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)

    start = over(gained, ideal(rows.before, np.arange(judged.n_queries)))
    now = gained[rows.query] + rows.running(worth / np.log2(rows.rank + 1))
    return rows.extreme(start, over(now, ideal(rows.promoted, rows.query)))


def rows_until(query: Ints, rank: Ints, of: Ints, cut: Ints | int) -> Ints:
    """How many rows, by query, then rank, come before what query `of` has after rank `cut`."""
    span = 1 + max(int(rank.max(initial=0)), int(np.max(cut, initial=0)))
    return np.searchsorted(query * span + rank, of * span + cut, "right").astype(np.int64)
