"""What is there to tell of a run's judged questions beside the figures?"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rageval_kit.gates.policy import GatePolicy
from rageval_kit.metrics.judged import Judged
from rageval_kit.records.conventions import read_name
from rageval_kit.records.decisions import JudgmentNote, MetricResult, SamplesResult, WorstQuery
from rageval_kit.records.scores import JudgedRankings, ScoreColumn
from rageval_kit.run.judged import Lists
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.questions import RELEVANT, Question, Questions
from rageval_kit.run.stale import staleness
from rageval_kit.run.strata import strata_results
from rageval_kit.stats import aggregate

WORST = 10
LISTED = 50


def samples_result(
    prepared: Prepared,
    questions: Questions,
    lists: Lists,
    columns: Sequence[ScoreColumn],
) -> SamplesResult:
    """Coverage, strata, worst queries, and every judgment that is not what it seems."""
    plan, asked = prepared.plan, questions.all
    known_at = plan.spec.known_at or questions.world.clock
    stale = staleness(questions, prepared.snapshot_digest, known_at)
    dangling = _notes(asked, lambda q: q.dangling)
    denied = _notes(asked, lambda q: q.denied)
    strata, macro = strata_results(plan.spec.samples, asked, columns, plan.spec.seed)
    grades = [grade for question in asked for grade in question.grades.values()]
    return SamplesResult(
        file=questions.file,
        digest=questions.digest,
        n_questions=len(asked),
        grain=plan.spec.samples.grain,
        depth=questions.depth,
        rolled_up=lists.rolled_up,
        n_duplicates=lists.duplicates,
        n_answered=lists.answered,
        n_scored=len(asked) - len(lists.judged.unranked),
        n_looked_at=lists.looked_at,
        judged=judged_share(lists.judged, min(plan.spec.k, questions.depth), plan.spec.seed),
        n_judgments=len(grades),
        n_relevant=sum(grade >= RELEVANT for grade in grades),
        dangling=dangling[:LISTED],
        n_dangling=len(dangling),
        not_permitted=denied[:LISTED],
        n_not_permitted=len(denied),
        shown_forbidden=tuple(lists.forbidden[:LISTED]),
        n_shown_forbidden=len(lists.forbidden),
        labelled_on=stale.labelled_on,
        stale=stale.stale[:LISTED],
        n_stale=len(stale.stale),
        stale_share=stale.share,
        n_undated=stale.undated,
        strata=strata,
        macro=macro,
        worst=worst(asked, tuple(plan.metrics.values()), columns, plan.gate),
    )


def _notes(
    questions: Sequence[Question], of: Callable[[Question], Sequence[str]]
) -> tuple[JudgmentNote, ...]:
    return tuple(
        JudgmentNote(question.query_id, item) for question in questions for item in of(question)
    )


def judged_share(judged: JudgedRankings, k: int, seed: int) -> MetricResult:
    """How much of what was shown anybody judged: all other measures are relative to it.

    It is the same however these treat what nobody judged.
    """
    metric = Judged(k)
    plain = replace(judged, conventions=replace(judged.conventions, unjudged="nonrelevant"))
    column = replace(metric(plain), metric=metric.name)
    return aggregate(column, metric.definition, seed=seed)


def worst(
    questions: Sequence[Question],
    metrics: Sequence[Any],
    columns: Sequence[ScoreColumn],
    policy: GatePolicy,
) -> tuple[WorstQuery, ...]:
    """The lowest scores of each metric that a gate decides by; of the first, if none.

    Only of metrics of which 1 is the best there is, and below it: elsewhere the lowest may be the
    best, or nobody knows how good it could have been.
    """
    decisive = {read_name(gate.metric)[0] for gate in policy.thresholds.values()}
    rated = [
        column
        for metric, column in zip(metrics, columns, strict=True)
        if column.unit_interval and getattr(metric, "higher_is_better", True)
    ]
    chosen = [column for column in rated if read_name(column.metric)[0] in decisive]
    found = []
    for column in chosen or rated[:1]:
        low = np.flatnonzero(column.measured & (column.values < 1))
        ordered = sorted(low.tolist(), key=lambda i: (column.values[i], questions[i].query_id))
        found += [
            WorstQuery(column.metric, questions[i].query_id, float(column.values[i]))
            for i in ordered[:WORST]
        ]
    return tuple(found)
