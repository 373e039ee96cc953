"""How well are permitted documents found: over judged questions, and over the positive twins'?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rageval_kit.gates.completeness import EXCUSED
from rageval_kit.gates.policy import Estimate, GatePolicy
from rageval_kit.gates.shown import number
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.decisions import MetricResult, SamplesResult
from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import JudgedRankings, ScoreColumn
from rageval_kit.run.judged import read_lists
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import FAILED, NO_LIST, AnswerRow, CaseRow
from rageval_kit.run.samples import samples_result
from rageval_kit.stats import aggregate

TWINS, SAMPLES = "twins", "samples"
UNRANKED: Mapping[int, str] = {
    FAILED: "failed: the call gave no usable reply",
    NO_LIST: "not_applicable: no list was retrieved for it",
}


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Every score of one set of questions: `columns[j].values[i]` belongs to `query_ids[i]`."""

    over: str
    query_ids: tuple[str, ...]
    columns: tuple[ScoreColumn, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """`results` lead with the samples, where there are any; the gates are held against these.

    `unfit`: measures, with the reason, that a set of questions cannot be asked for.
    """

    results: tuple[MetricResult, ...] = ()
    tables: tuple[ScoreTable, ...] = ()
    samples: SamplesResult | None = None
    unfit: tuple[tuple[str, str], ...] = ()


def measure(prepared: Prepared, rows: Sequence[CaseRow], answers: Sequence[AnswerRow]) -> Measured:
    """The metric set over the samples and over all twins' questions, as far as there are any."""
    plan = prepared.plan
    first = over_samples(prepared, answers)
    then = over_twins(plan.metrics, rows, plan.gate, plan.spec.seed)
    return Measured(
        first.results + then.results, first.tables + then.tables, first.samples, then.unfit
    )


def over_samples(prepared: Prepared, answers: Sequence[AnswerRow]) -> Measured:
    plan, questions = prepared.plan, prepared.questions
    if questions is None:
        return Measured()
    lists = read_lists(questions, answers)
    columns = [measured(metric, lists.judged) for metric in plan.metrics.values()]
    results = _results(plan.metrics.values(), columns, SAMPLES, plan.gate, plan.spec.seed)
    table = ScoreTable(SAMPLES, tuple(row.query_id for row in answers), tuple(columns))
    return Measured(results, (table,), samples_result(prepared, questions, lists, columns))


def over_twins(
    metrics: Mapping[str, Any], rows: Sequence[CaseRow], policy: GatePolicy, seed: int
) -> Measured:
    """One document is relevant to each; a run in which no twin asked has nothing to measure.

    Of a twin's list the place of that document alone is kept, so a measure that needs the list's
    length is left out by name.
    """
    judged = judged_twins(rows)
    if not judged.n_queries:
        return Measured()
    fit, columns, unfit = [], [], []
    for metric in metrics.values():
        try:
            columns.append(metric(judged))
            fit.append(metric)
        except InputError as error:
            unfit.append((f"{metric.name} ({TWINS})", f"not_applicable: {error.faults[0].problem}"))
    names = tuple(f"{row.case_id}#{i}" for row in rows for i in range(1, len(row.ranks) + 1))
    results = _results(fit, columns, TWINS, policy, seed)
    return Measured(results, (ScoreTable(TWINS, names, tuple(columns)),), None, tuple(unfit))


def _results(
    metrics: Iterable[Any],
    columns: Sequence[ScoreColumn],
    over: str,
    policy: GatePolicy,
    seed: int,
) -> tuple[MetricResult, ...]:
    results = []
    for metric, column in zip(metrics, columns, strict=True):
        result = aggregate(column, getattr(metric, "definition", None), seed=seed)
        shares = _shares(column, policy)
        results.append(replace(result, over=over, floor=_floor(result), shares=shares))
    return tuple(results)


def _floor(result: MetricResult) -> float | None:
    """The mean if every score that is missing were 0; None where none is, or nothing was asked."""
    missing = sum(n for why, n in result.reasons.items() if why.split(":")[0] not in EXCUSED)
    if not missing:
        return None
    return (result.value or 0.0) * result.n_scored / (result.n_scored + missing)


def _shares(column: ScoreColumn, policy: GatePolicy) -> Mapping[str, float]:
    """The share of scored queries above each value that a threshold on this metric speaks of."""
    usable = column.values[column.measured & np.isfinite(column.values)]
    name = column.metric.partition("|")[0]
    return {
        number(gate.above): float((usable > gate.above).mean())
        for gate in policy.thresholds.values()
        if gate.estimate is Estimate.SHARE_ABOVE
        and gate.above is not None
        and gate.metric in (name, column.metric)
        and len(usable)
    }


def judged_twins(rows: Sequence[CaseRow]) -> JudgedRankings:
    """Query i is the i-th twin's question; its one relevant document stands at its rank, if any."""
    ranks = np.array([rank for row in rows for rank in row.ranks], dtype=np.int64)
    found = np.flatnonzero(ranks > 0)
    everyone = np.arange(len(ranks), dtype=np.int64)
    return JudgedRankings(
        n_queries=len(ranks),
        query=found.astype(np.int64),
        rank=ranks[found],
        grade=np.ones(len(found), dtype=np.int64),
        judged_query=everyone,
        judged_grade=np.ones(len(ranks), dtype=np.int64),
        unranked={int(i): UNRANKED[int(ranks[i])] for i in np.flatnonzero(ranks < 0)},
    )
