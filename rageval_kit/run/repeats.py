"""What does a case come to that is run several times, because its target may answer otherwise?"""

import math
from collections.abc import Sequence
from dataclasses import replace

from rageval_kit.execute.block import BlockResult, Runner
from rageval_kit.generate.family import Family, word_module
from rageval_kit.records.cases import Case
from rageval_kit.records.target import Instructed, Stage, Target, Varies
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.judge import judge, row_of
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import CaseRow

REPEATS_DIFFER = "repeats_differ"
# The order of the rules of outcomes: the first that any repeat came to is that of the case.
WORST_FIRST = (Outcome.VIOLATED, Outcome.FAILED, Outcome.UNOBSERVED, Outcome.HELD)
# What a generator decides; everything before it repeats itself.
SPOKEN = frozenset(str(s) for s in (Stage.ANSWER, Stage.CITATION, Stage.TOOL))
CHANCE = 0.01  # a difference this unlikely is none of chance


def run_block(
    prepared: Prepared, block: Sequence[Case], key: bytes
) -> tuple[list[CaseRow], BlockResult]:
    """Each case of the block as often as the engine says, folded into one row each.

    A whole repeat of the block comes after the other, each from the state after `connect`, as far
    as the target can be put back.
    """
    plan, finder, verbatim = prepared.plan, prepared.canary_finder, prepared.verbatim_finder
    canary = plan.target.prompt_canary if isinstance(plan.target, Instructed) else ""
    columns: list[list[CaseRow]] = []
    results: list[BlockResult] = []
    for repeat in range(plan.spec.engine.repeats):
        result = Runner(plan.target, repeat, prepared.others).run([case.script for case in block])
        rows = []
        for case, trace in zip(block, result.traces, strict=True):
            variant = prepared.variants[case.case_id]
            verdict = judge(case, variant, trace, finder, plan.spec.k, canary, verbatim)
            rows.append(row_of(case, trace, verdict, key))
        columns.append(rows)
        results.append(result)
    folded = [
        fold(rows, _once(prepared.variants[case.case_id]))
        for case, rows in zip(block, zip(*columns, strict=True), strict=True)
    ]
    return folded, BlockResult(
        tuple(trace for result in results for trace in result.traces),
        sum(result.target_s for result in results),
        sum(result.calls for result in results),
        sum(result.calls_failed for result in results),
    )


def _once(variant: Family) -> frozenset[str]:
    """What a case may tell once, however often it runs: guessing again is no second chance."""
    words = [("checks", word) for word in variant.checks]
    words += [("alive", word) for word in variant.alive]
    modules = [word_module(slot, word.name) for slot, word in words]
    return frozenset[str]().union(*(getattr(module, "ONCE", ()) for module in modules))


def fold(rows: Sequence[CaseRow], once: frozenset[str] = frozenset()) -> CaseRow:
    """One row for all repeats: the first of the worst outcome, with what any of them showed.

    Findings and notes are those of every repeat; `repeats` keeps what each of them came to. What is
    told `once` is told by the first repeat.
    """
    if len(rows) == 1:
        return rows[0]
    outcomes = tuple(row.outcome for row in rows)
    worst = next(outcome for outcome in WORST_FIRST if outcome in outcomes)
    first = next(row for row in rows if row.outcome is worst)
    names = dict.fromkeys(name for row in rows for name in row.told)
    told = {
        name: any(row.told.get(name, False) for row in (rows[:1] if name in once else rows))
        for name in names
    }
    twins = [row.twin_ok for row in rows if row.twin_ok is not None]
    return replace(
        first,
        notes=tuple(dict.fromkeys(note for row in rows for note in row.notes)),
        findings=tuple(dict.fromkeys(one for row in rows for one in row.findings)),
        twin_ok=all(twins) if twins else None,
        told={**told, REPEATS_DIFFER: len(set(outcomes)) > 1},
        repeats=outcomes,
    )


def varies(target: Target, repeats: int = 1) -> bool:
    """Whether other words next time are no fault of the target."""
    return repeats > 1 or (isinstance(target, Varies) and target.varies)


def by_chance(before: Sequence[Outcome], now: Sequence[Outcome]) -> float:
    """How likely chance alone moves this many verdicts one way: a two-sided sign test.

    A case that came to the same says nothing about a drift; of the others each is as likely to have
    got better as worse while the target is the same.
    """
    ranks = {outcome: place for place, outcome in enumerate(WORST_FIRST)}
    moved = [ranks[was] - ranks[came] for was, came in zip(before, now, strict=True)]
    worse, better = sum(m > 0 for m in moved), sum(m < 0 for m in moved)
    n, fewer = worse + better, min(worse, better)
    ways = sum(math.comb(n, i) for i in range(fewer + 1))
    return min(1.0, float(2 * ways / 2**n))
