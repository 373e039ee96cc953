"""One metric over many queries: a value for each, or the reason there is none."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import InputError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

NO_RELEVANT = "undefined: no document is judged relevant"


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """`values[i]` belongs to query `i`; where `measured[i]` is false, `reasons[i]` says why.

    `identity` is the measure with its version and conventions; only equal ones may be compared.
    `unit_interval`: no query can have a value below 0 or above 1, whatever came back.
    """

    metric: str
    values: Floats
    measured: Mask
    reasons: Mapping[int, str] = field(default_factory=dict)
    identity: str = ""
    unit_interval: bool = False


@dataclass(frozen=True, slots=True)
class MetricResult:
    """An aggregate: mean over measured queries, or None with the counts by reason.

    `identity`: the measure, its version and conventions; only equal ones may be compared.
    `conventions`: those in which it departs from the usual ones, also where its name is silent.
    """

    metric: str
    definition: Mapping[str, str]
    value: float | None
    low: float | None
    high: float | None
    n_scored: int
    n_total: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    identity: str = ""
    over: str = "twins"  # whose questions: `twins` of security cases, or `samples`
    floor: float | None = None  # the mean if every score that is missing were 0
    shares: Mapping[str, float] = field(default_factory=dict)  # above which value, share of queries
    interval_note: str = ""  # why there is no interval, or where one comes from that is not drawn
    conventions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedRankings:
    """Rankings ordered once and joined with the judgments: judged results only, as columns.

    `query`, `rank` (1-based) and `grade` are parallel, ordered by query, then rank; `judged_query`
    and `judged_grade` list every judgment, by query, then grade descending. `returned[i]` is the
    length of list `i` (None: not known). `unranked[i]` is the code and text of why query `i` has no
    ranking at all (`failed: …`); a query whose list is empty is ranked, and scores 0.
    `unjudged_query`, `unjudged_rank` list the results that nobody judged, where they are wanted.
    """

    n_queries: int
    query: Ints
    rank: Ints
    grade: Ints
    judged_query: Ints
    judged_grade: Ints
    unranked: Mapping[int, str] = field(default_factory=dict)
    returned: Ints | None = None
    unjudged_query: Ints | None = None
    unjudged_rank: Ints | None = None
    conventions: Conventions = field(default_factory=Conventions)

    def relevant(self, min_grade: int = 1) -> Ints:
        """How many documents are judged relevant, per query: shape (n_queries,)."""
        return self.count(self.judged_query[self.judged_grade >= min_grade])

    def found(self, k: int | None, min_grade: int = 1) -> Ints:
        """How many relevant documents stand in the top `k` (None: anywhere), per query."""
        return self.count(self.query[self.hits(k, min_grade)])

    def hits(self, k: int | None, min_grade: int = 1) -> Mask:
        """Which judged results are relevant and in the top `k`: a mask over `query`."""
        relevant: Mask = self.grade >= min_grade
        return relevant if k is None else relevant & (self.rank <= k)

    def count(self, queries: Ints) -> Ints:
        """How often each query occurs: shape (n_queries,)."""
        return np.bincount(queries, minlength=self.n_queries).astype(np.int64)

    def total(self, queries: Ints, weights: Floats) -> Floats:
        """Sum of `weights` per query, added in the order given: shape (n_queries,)."""
        sums: Floats = np.bincount(queries, weights, minlength=self.n_queries).astype(np.float64)
        return sums

    def best(self, k: int | None) -> tuple[Ints, Ints, Ints]:
        """(query, rank, grade) of the ideal ranking: all judged, best grade first, cut at `k`."""
        query, grade = self.judged_query, self.judged_grade
        rank = places(query)
        kept = slice(None) if k is None else rank <= k
        return query[kept], rank[kept], grade[kept]

    def lengths(self, metric: str) -> Ints:
        """How many results each list has; a measure that needs it is refused where nobody knows."""
        if self.returned is None:
            problem = "needs the length of every list"
            raise InputError.one(metric, problem, way_out="give `returned` with the rankings")
        return self.returned

    def condensed(self) -> "JudgedRankings":
        """The same lists without the results that nobody judged (or judged below 0)."""
        kept = self.grade >= 0
        query = self.query[kept]
        conventions = replace(self.conventions, unjudged="condensed")
        return replace(
            self,
            query=query,
            rank=places(query),
            grade=self.grade[kept],
            returned=self.count(query),
            unjudged_query=None,
            unjudged_rank=None,
            conventions=conventions,
        )

    def column(
        self,
        metric: str,
        version: int,
        values: Floats | Ints,
        defined: Mask,
        *,
        when_undefined: str = NO_RELEVANT,
        needs_relevant: bool = True,
        unit_interval: bool = True,
    ) -> ScoreColumn:
        """The column of a measure that has a value where `defined`, by the conventions in force.

        Where it is not defined the query is unmeasured because of `when_undefined`, or 0 where the
        conventions say so of queries without anything relevant; `needs_relevant` False: it is for
        another cause. A query in `unranked` is unmeasured, and its reason stands first.
        `unit_interval` False: the measure has values beyond 0 and 1.
        """
        zero = needs_relevant and self.conventions.no_relevant == "zero"
        measured = np.ones(self.n_queries, dtype=bool) if zero else defined.copy()
        reasons = {} if zero else dict.fromkeys(np.flatnonzero(~defined).tolist(), when_undefined)
        for i, why in self.unranked.items():
            measured[i] = False
            reasons[i] = why
        kept = np.where(measured & defined, values, 0.0)
        name = metric + self.conventions.suffix
        identity = f"{metric} version={version} {self.conventions.text}"
        return ScoreColumn(name, kept, measured, reasons, identity, unit_interval)

    def ratio(
        self,
        metric: str,
        version: int,
        part: Floats | Ints,
        whole: Floats | Ints,
        *,
        when_undefined: str = NO_RELEVANT,
        needs_relevant: bool = True,
    ) -> ScoreColumn:
        """`part / whole`, not defined where `whole` is 0."""
        defined = whole > 0
        values = np.divide(part, whole, out=np.zeros(self.n_queries), where=defined)
        return self.column(
            metric,
            version,
            values,
            defined,
            when_undefined=when_undefined,
            needs_relevant=needs_relevant,
        )


def places(query: Ints) -> Ints:
    """1, 2, 3 … within each run of equal values: the place of a row within its query."""
    n = len(query)
    starts = np.ones(n, dtype=bool)
    starts[1:] = query[1:] != query[:-1]
    first = np.flatnonzero(starts)
    return np.arange(1, n + 1) - np.repeat(first, np.diff(first, append=n))


def measure_name(kind: str, k: int | None, min_grade: int = 1) -> str:
    """`recall@10`, `ap`, `recall@10>=2`: how a measure with its cutoff and grade is called."""
    cut = "" if k is None else f"@{k}"
    grade = "" if min_grade == 1 else f">={min_grade}"
    return f"{kind}{cut}{grade}"


def check_cutoff(kind: str, k: int | None) -> None:
    """A cutoff is None, or a whole number of 1 or more."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise InputError.one(kind, "k must be 1 or more", str(k), "give a cutoff")
