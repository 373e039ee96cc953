"""What does a measure give where some results were judged by nobody?"""

from dataclasses import replace
from typing import ClassVar, Protocol

import numpy as np

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Ints, JudgedRankings, ScoreColumn, places


class Metric(Protocol):
    """A measure of rankings; its class may say how the unjudged change it.

    `bounded = False`: they change nothing in it. `rising = True`: it never falls when a further
    result that is counted is judged relevant, so that all or none of them is the extreme. A method
    `extreme(judged, query, rank, highest=…)` gives the extremes by a formula of its own, from the
    unjudged results by query, then rank.
    """

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
    it (a list without its unjudged results could not tell how many there were). Lists of claims are
    not condensed either: a claim stands at the rank of a passage, and passages nobody judged.
    """
    unjudged = judged.conventions.unjudged
    bounded = getattr(metric, "bounded", True)
    if judged.conventions.grain not in metric.grains:
        known = ", ".join(sorted(metric.grains))
        met, problem = judged.conventions.grain, "is not defined at this grain"
        raise InputError.one(metric.name, problem, met, f"judge at one of: {known}")
    if unjudged == "condensed" and bounded:
        if judged.conventions.grain == "claim":
            problem = "has no condensed list of claims, which stand at the ranks of passages"
            raise InputError.one(metric.name, problem, "", "use unjudged: nonrelevant")
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

    Where the measure rises with m, m = u is the highest and m = v the lowest: one try. Where it
    does not (average precision falls when a late result becomes relevant), `extreme` adds up what
    each promotion brings: of all measures here the cost is a few times that of the plain measure
    and a few sums for each unjudged result. A measure that says neither is tried u + 1 times, for
    all queries at once, each way with one more promotion per query than the one before it.
    """
    query, rank = _returned_unjudged(metric, judged, bounded=bounded)
    highest = judged.conventions.unjudged == "highest"
    plain = metric(judged)
    by_formula = getattr(metric, "extreme", None)
    if by_formula is not None:
        values = by_formula(judged, query, rank, highest=highest)
        # Sums taken in another order differ in their last digits; a bound never lies inside.
        values = (np.maximum if highest else np.minimum)(values, plain.values)
        if plain.unit_interval:
            values = np.clip(values, 0, 1)
        return replace(plain, values=np.where(plain.measured, values, 0.0))
    k: int | None = getattr(metric, "k", None)
    inside = np.ones(len(rank), dtype=bool) if k is None else rank <= k
    held = judged.count(query[inside])
    place = places(query)
    # The try that promotes each: from the top, or from the end, with all below k at once in try 0.
    from_top = np.where(inside, place, -1)  # -1: in no try
    turn = from_top if highest else np.maximum(held[query] - place + 1, 0)
    tries = 1 + int(held.max(initial=0))
    if getattr(metric, "rising", False):
        turn, tries = np.where(inside == highest, 0, -1), 1
    values = plain.values
    for m in range(tries):
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
