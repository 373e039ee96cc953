"""What does a measure give where some results were judged by nobody?"""

from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Ints, JudgedRankings, ScoreColumn, places


class Metric(Protocol):
    """A measure of rankings; `bounded = False` on its class: the unjudged change nothing in it."""

    grains: ClassVar[frozenset[str]]

    @property
    def name(self) -> str: ...

    def __call__(self, judged: JudgedRankings) -> ScoreColumn: ...


def measured(metric: Metric, judged: JudgedRankings) -> ScoreColumn:
    """The measure under `judged.conventions`, whose name and identity it then carries.

    `lowest` and `highest` are exact over all ways to give each returned result that nobody judged
    grade 0 or the highest grade met in the judgments; what was never returned stays not relevant,
    and a query without a value under `nonrelevant` has none here, so that every mean has the
    same n. A measure that is not bounded looks at what was judged only: no list is condensed for
    it (a list without its unjudged results could not tell how many there were).
    """
    unjudged = judged.conventions.unjudged
    bounded = getattr(metric, "bounded", True)
    if judged.conventions.grain not in metric.grains:
        known = ", ".join(sorted(metric.grains))
        met, problem = judged.conventions.grain, "is not defined at this grain"
        raise InputError.one(metric.name, problem, met, f"judge at one of: {known}")
    if unjudged == "condensed" and bounded:
        return metric(judged.condensed())
    if unjudged in ("lowest", "highest"):
        return _extreme(metric, judged, bounded=bounded)
    return metric(judged)


def _extreme(metric: Metric, judged: JudgedRankings, *, bounded: bool) -> ScoreColumn:
    """The lowest or highest value, per query, over few ways to promote unjudged results.

    Promoted: given the highest grade met; the others stay not relevant. Let m results be promoted
    in a list that has u unjudged ones among the first k and v below (no k: v = 0).

    - How many relevant documents there are, the ideal list and R depend on m alone, and no measure
      here falls when a relevant result changes place with one before it that is not relevant. So
      among all choices of m the first m unjudged ranks are the best and the last m are the worst.
    - Highest: a promotion below k never adds to what is counted among the first k; it can only
      enlarge what that is divided by. So no m above u need be tried: u + 1 ways.
    - Lowest, m <= v: all m lie below k and can only enlarge the divisor, so m = v is the lowest of
      these. Above it the last m are all v below and the last m - v of the first k: u + 1 ways.

    In between neither is monotone (average precision falls when a late result becomes relevant),
    so each of the u + 1 ways is tried, for all queries at once; each way adds one promotion per
    query to the one before it.
    """
    query, rank = _returned_unjudged(metric, judged, bounded=bounded)
    highest = judged.conventions.unjudged == "highest"
    k: int | None = getattr(metric, "k", None)
    inside = np.ones(len(rank), dtype=bool) if k is None else rank <= k
    held = judged.count(query[inside])
    place = places(query)
    # The try that promotes each: from the top, or from the end, with all below k at once in try 0.
    from_top = np.where(inside, place, -1)  # -1: in no try
    turn = from_top if highest else np.maximum(held[query] - place + 1, 0)
    plain = metric(judged)
    values = plain.values
    for m in range(int(held.max(initial=0)) + 1):
        judged = _promoted(judged, query[turn == m], rank[turn == m])
        tried = metric(judged).values
        values = np.maximum(values, tried) if highest else np.minimum(values, tried)
    return replace(plain, values=np.where(plain.measured, values, 0.0))


def _returned_unjudged(
    metric: Metric, judged: JudgedRankings, *, bounded: bool
) -> tuple[Ints, Ints]:
    """Query and rank of every unjudged result, in order; refused where there can be no bound."""
    way_out = "use unjudged: nonrelevant or condensed"
    faults = []
    if not bounded:
        faults.append(Fault(metric.name, "has no lowest and highest value", "", way_out))
    if getattr(metric, "min_grade", 1) < 1:
        problem = "a result of grade 0 would count as relevant, so there is nothing to bound"
        faults.append(Fault(metric.name, problem, "min_grade below 1", "give min_grade 1 or more"))
    query, rank = judged.unjudged_query, judged.unjudged_rank
    if query is None or rank is None:
        problem = "its bounds need the place of every unjudged result, which was not kept"
        faults.append(Fault(metric.name, problem, "", f"keep them with the rankings, or {way_out}"))
    if faults or query is None or rank is None:
        raise InputError(faults)
    order = np.lexsort((rank, query))
    return query[order], rank[order]


def _promoted(judged: JudgedRankings, query: Ints, rank: Ints) -> JudgedRankings:
    """The same lists with these unjudged results judged, all with the highest grade met."""
    grade = np.full(len(query), judged.judged_grade.max(initial=0))
    span = 1 + max(judged.rank.max(initial=0), rank.max(initial=0))
    place = np.searchsorted(judged.query * span + judged.rank, query * span + rank)
    first = np.searchsorted(judged.judged_query, query)  # no grade is above theirs
    return replace(
        judged,
        query=np.insert(judged.query, place, query),
        rank=np.insert(judged.rank, place, rank),
        grade=np.insert(judged.grade, place, grade),
        judged_query=np.insert(judged.judged_query, first, query),
        judged_grade=np.insert(judged.judged_grade, first, grade),
    )
