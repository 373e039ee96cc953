"""How well are permitted documents found: over judged questions, and over the positive twins'?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rageval_kit.gates.completeness import EXCUSED
from rageval_kit.gates.policy import Estimate, GatePolicy
from rageval_kit.gates.shown import number
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.conventions import Conventions, read_name
from rageval_kit.records.decisions import JudgmentNote, MetricResult, SamplesResult
from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import JudgedRankings, ScoreColumn
from rageval_kit.records.target import Grain
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

    `unfit`: measures, with the reason, that a set of questions cannot be asked for. `forbidden`:
    every result of a sample that its reader may not read.
    """

    results: tuple[MetricResult, ...] = ()
    tables: tuple[ScoreTable, ...] = ()
    samples: SamplesResult | None = None
    unfit: tuple[tuple[str, str], ...] = ()
    forbidden: tuple[JudgmentNote, ...] = ()


def measure(prepared: Prepared, rows: Sequence[CaseRow], answers: Sequence[AnswerRow]) -> Measured:
    """The metric set over the samples and over all twins' questions, as far as there are any."""
    plan = prepared.plan
    first = over_samples(prepared, answers)
    then = over_twins(plan.metrics, rows, plan.gate, plan.spec.seed, plan.target.grain)
    return replace(
        first,
        results=first.results + then.results,
        tables=first.tables + then.tables,
        unfit=then.unfit,
    )


def over_samples(prepared: Prepared, answers: Sequence[AnswerRow]) -> Measured:
    plan, questions = prepared.plan, prepared.questions
    if questions is None:
        return Measured()
    lists = read_lists(questions, answers)
    columns = [measured(metric, lists.judged) for metric in plan.metrics.values()]
    results = _results(plan.metrics.values(), columns, SAMPLES, plan.gate, plan.spec.seed)
    named = tuple(map(_named, columns))
    table = ScoreTable(SAMPLES, tuple(row.query_id for row in answers), named)
    told = samples_result(prepared, questions, lists, named)
    return Measured(results, (table,), told, forbidden=tuple(lists.forbidden))


def over_twins(
    metrics: Mapping[str, Any],
    rows: Sequence[CaseRow],
    policy: GatePolicy,
    seed: int,
    grain: Grain,
) -> Measured:
    """One document of grade 1 is relevant to each; without a twin there is nothing to measure.

    Of a twin's list the place of that document alone is kept. So a measure that needs the list's
    length is left out by name, and so is one that no twin defines: it asks for a higher grade.
    """
    judged = judged_twins(rows, grain)
    if not judged.n_queries:
        return Measured()
    fit, columns, unfit = [], [], []
    for metric in metrics.values():
        try:
            column = measured(metric, judged)
            why = _undefined(column, judged)
        except InputError as error:
            why = error.faults[0].problem
        if why:
            unfit.append((f"{metric.name} ({TWINS})", f"not_applicable: {why}"))
        else:
            columns.append(column)
            fit.append(metric)
    names = tuple(f"{row.case_id}#{i}" for row in rows for i in range(1, len(row.ranks) + 1))
    results = _results(fit, columns, TWINS, policy, seed)
    table = ScoreTable(TWINS, names, tuple(map(_named, columns)))
    return Measured(results, (table,), None, tuple(unfit))


def _named(column: ScoreColumn) -> ScoreColumn:
    """Of its conventions the name tells those that somebody chose.

    The order and the grain of the lists are the same for all questions of their kind.
    """
    name, said = read_name(column.metric)
    chosen = (f"|{key}={said[key]}" for key in ("unjudged", "no_relevant") if key in said)
    return replace(column, metric="".join((name, *chosen)))


def _undefined(column: ScoreColumn, judged: JudgedRankings) -> str:
    """Why a measure has a value for no question that was answered; '' where it has one."""
    if column.measured.any():
        return ""
    reasons = (why for i, why in column.reasons.items() if i not in judged.unranked)
    return next(reasons, "").removeprefix("undefined: ")


def _results(
    metrics: Iterable[Any],
    columns: Sequence[ScoreColumn],
    over: str,
    policy: GatePolicy,
    seed: int,
) -> tuple[MetricResult, ...]:
    results = []
    for metric, column in zip(metrics, columns, strict=True):
        result = aggregate(_named(column), getattr(metric, "definition", None), seed=seed)
        results.append(
            replace(
                result,
                over=over,
                floor=_floor(result),
                shares=_shares(column, policy),
                conventions=read_name(column.metric)[1],
            )
        )
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
    name, _ = read_name(column.metric)
    return {
        number(gate.above): float((usable > gate.above).mean())
        for gate in policy.thresholds.values()
        if gate.estimate is Estimate.SHARE_ABOVE
        and gate.above is not None
        and read_name(gate.metric)[0] == name
        and len(usable)
    }


def judged_twins(rows: Sequence[CaseRow], grain: Grain) -> JudgedRankings:
    """Query i is the i-th twin's question; its one relevant document stands at its rank, if any.

    The ranks are the target's own, among whatever it returns.
    """
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
        conventions=Conventions(
            ties="keep_rank", grain="document" if grain is Grain.DOCUMENT else "passage"
        ),
    )
