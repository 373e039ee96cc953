"""What is there to tell of a run's judged questions beside the figures?"""

from collections.abc import Callable, Sequence

import numpy as np

from rageval_kit.gates.policy import GatePolicy
from rageval_kit.metrics.judged import Judged
from rageval_kit.ranking.unjudged import measured
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
        n_answered=len(asked) - len(lists.judged.unranked),
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
        worst=worst(asked, columns, plan.gate),
    )


def _notes(
    questions: Sequence[Question], of: Callable[[Question], Sequence[str]]
) -> tuple[JudgmentNote, ...]:
    return tuple(
        JudgmentNote(question.query_id, item) for question in questions for item in of(question)
    )


def judged_share(judged: JudgedRankings, k: int, seed: int) -> MetricResult:
    """How much of what was shown anybody judged: all other measures are relative to it."""
    metric = Judged(k)
    return aggregate(measured(metric, judged), metric.definition, seed=seed)


def worst(
    questions: Sequence[Question], columns: Sequence[ScoreColumn], policy: GatePolicy
) -> tuple[WorstQuery, ...]:
    """The lowest scores below 1 of each metric that a gate decides by; of the first, if none."""
    decisive = {gate.metric for gate in policy.thresholds.values()}
    chosen = [c for c in columns if {c.metric, c.metric.partition("|")[0]} & decisive]
    found = []
    for column in chosen or columns[:1]:
        low = np.flatnonzero(column.measured & (column.values < 1))
        ordered = sorted(low.tolist(), key=lambda i: (column.values[i], questions[i].query_id))
        found += [
            WorstQuery(column.metric, questions[i].query_id, float(column.values[i]))
            for i in ordered[:WORST]
        ]
    return tuple(found)
