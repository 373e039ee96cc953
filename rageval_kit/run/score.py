"""How do rankings measure up to judgments? The main path of `score`, in order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rageval_kit.intake.rankings import RankingFile, located
from rageval_kit.metrics.judged import Judged as JudgedAt
from rageval_kit.ranking import overlap
from rageval_kit.ranking.claims import judge_claims
from rageval_kit.ranking.judge import Judged, RankingNotes, RefusedListsError, judge
from rageval_kit.ranking.judgments import Judgments
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import JudgedRankings, MetricResult, ScoreColumn
from rageval_kit.stats.aggregate import aggregate
from rageval_kit.stats.bootstrap import RESAMPLES
from rageval_kit.stats.compare import Comparison, compare_many, pair_stream
from rageval_kit.stats.multiple import holm

if TYPE_CHECKING:
    import polars as pl

_COVERAGE_K = 10
_AT_ANY_GRAIN = Conventions()


@dataclass(frozen=True, slots=True)
class Rules:
    """How rankings are scored. `corpus`: the ids of the collection that was searched, if known.

    `roll_up` turns blocks of passages into blocks of documents; `claims` says which passage states
    which claim. `mismatch`: lists that fit other queries' judgments are let through. `strict`:
    queries without judgments are refused.
    """

    conventions: Conventions = field(default_factory=Conventions)
    corpus: "pl.Series | None" = None
    roll_up: "Callable[[pl.DataFrame], pl.DataFrame] | None" = None
    claims: "pl.DataFrame | None" = None
    mismatch: bool = False
    strict: bool = False
    intervals: bool = True
    resamples: int = RESAMPLES
    seed: int = 7

    @property
    def in_force(self) -> Conventions:
        """The conventions with what roll-up and claims make of them: part of every identity."""
        if self.claims is not None:
            return replace(self.conventions, grain="claim", rolled_up_from="passage")
        if self.roll_up is not None:
            return replace(self.conventions, grain="document", rolled_up_from="passage")
        return self.conventions


@dataclass(frozen=True, slots=True)
class Coverage:
    """The mean judged share of the first `k`, over the `n` queries with any result.

    Without such queries there is none, and `reason` says why.
    """

    k: int
    mean: float | None
    n: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """One ranking: `columns[m]` are the values of measure `m`, `results[m]` what they come to."""

    name: str
    columns: tuple[ScoreColumn, ...]
    results: tuple[MetricResult, ...]
    returned: tuple[int, ...]
    notes: RankingNotes
    overlap: overlap.Overlap
    coverage: Coverage
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """`comparisons[name]`: that ranking less the first, with the adjusted p of each measure.

    `relevant` counts judgments of grade 1 and above.
    """

    query_ids: tuple[str, ...]
    judged: int
    relevant: int
    conventions: Conventions
    runs: tuple[Scored, ...]
    comparisons: Mapping[str, tuple[tuple[Comparison, float | None], ...]]


def score(
    judgments: "pl.DataFrame",
    rankings: Mapping[str, RankingFile],
    metrics: Sequence[Any],
    rules: Rules | None = None,
) -> Scores:
    """Score each ranking by each metric; what is wrong with any of them is refused at once."""
    rules = rules or Rules()
    known = Judgments.of(judgments)
    runs: list[Scored] = []
    faults: list[Fault] = []
    for name, file in rankings.items():
        try:
            runs.append(_scored(name, file, known, judgments, (tuple(metrics), rules)))
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    relevant = int(np.count_nonzero(known.grade >= 1))
    told = _compared(runs, known.query_ids, rules.seed)
    return Scores(known.query_ids, len(known.grade), relevant, rules.in_force, tuple(runs), told)


def _scored(
    name: str,
    file: RankingFile,
    known: Judgments,
    judgments: "pl.DataFrame",
    how: tuple[tuple[Any, ...], Rules],
) -> Scored:
    metrics, rules = how
    try:
        judged = _judged(file, known, rules)
    except RefusedListsError as error:
        raise located(file, error) from error
    named = judgments if rules.claims is None else _passages(judgments, rules.claims)
    below = int(np.count_nonzero(judged.rankings.rank > overlap.DEPTH))
    meeting = overlap.measure(judged.notes.top, named, corpus=rules.corpus, judged_below=below)
    warnings, faults = overlap.check(meeting)
    refused = [
        replace(one, where=f"{name}: {one.where}")
        for one in faults
        if not (rules.mismatch or not judged.notes.results)
    ]
    if rules.strict and judged.notes.unjudged:
        met = ", ".join(judged.notes.unjudged[:20])
        problem = f"{len(judged.notes.unjudged)} queries have no judgment"
        refused.append(Fault(name, problem, met, "judge them, or score without strict"))
    if refused:
        raise InputError(refused)
    if not judged.notes.results:
        warnings = ("it holds no result at all: every query scores 0",)
    elif faults:
        warnings = (*warnings, *(str(one) for one in faults))
    columns = tuple(measured(metric, judged.rankings) for metric in metrics)
    definitions = [getattr(metric, "definition", {}) for metric in metrics]
    resamples = rules.resamples if rules.intervals else 0
    results = tuple(
        aggregate(column, definition, seed=rules.seed, resamples=resamples)
        for column, definition in zip(columns, definitions, strict=True)
    )
    returned = tuple(judged.rankings.lengths(name).tolist())
    share = _coverage(judged.rankings)
    return Scored(name, columns, results, returned, judged.notes, meeting, share, warnings)


def _passages(judgments: "pl.DataFrame", claims: "pl.DataFrame") -> "pl.DataFrame":
    """The passages that state a judged claim, in the place of judged documents."""
    stated = judgments.join(claims, left_on="document_id", right_on="claim_id", how="inner")
    return stated.select("query_id", "grade", document_id="passage_id").unique(
        ["query_id", "document_id"], maintain_order=True
    )


def _coverage(rankings: JudgedRankings) -> Coverage:
    """In every report, whichever measures were asked for: recall is relative to what was judged.

    Claims stand at the ranks of passages, which nobody judged: of them there is no such share.
    """
    if rankings.conventions.grain == "claim":
        return Coverage(_COVERAGE_K, None, 0, "not_applicable: passages are not judged")
    seen = measured(JudgedAt(_COVERAGE_K), replace(rankings, conventions=_AT_ANY_GRAIN))
    n = int(seen.measured.sum())
    if not n:
        return Coverage(_COVERAGE_K, None, 0, "undefined: nothing was returned")
    return Coverage(_COVERAGE_K, float(seen.values[seen.measured].mean()), n)


def _judged(file: RankingFile, known: Judgments, rules: Rules) -> Judged:
    where, conventions = str(file.path), rules.in_force
    if rules.claims is not None:
        return judge_claims(known, rules.claims, file.blocks, conventions, where=where)
    if rules.roll_up is None:
        return judge(known, file.blocks, conventions, where=where)
    turned = rules.roll_up
    return judge(known, lambda: map(turned, file.blocks()), conventions, where=where, repeats=True)


def _compared(
    runs: Sequence[Scored], query_ids: Sequence[str], seed: int
) -> dict[str, tuple[tuple[Comparison, float | None], ...]]:
    """Each further ranking less the first, p-values adjusted over all measures and rankings."""
    if len(runs) < 2:  # noqa: PLR2004 - a pair
        return {}
    first, *others = runs
    pairs = {
        one.name: compare_many(
            first.columns,
            one.columns,
            pair_stream(seed, first.name, one.name),
            ids=query_ids,
        )
        for one in others
    }
    adjusted = iter(holm([one.test.p for pair in pairs.values() for one in pair]).values)
    return {name: tuple((one, next(adjusted)) for one in pair) for name, pair in pairs.items()}
