"""The main path of a run, in order: prepare, ask, judge, decide, keep."""

import contextlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from rageval_kit.build.planning import Plan
from rageval_kit.execute.block import Runner
from rageval_kit.records.cases import Case
from rageval_kit.records.decisions import RunRecord
from rageval_kit.records.target import Target
from rageval_kit.run.answers import ask
from rageval_kit.run.conclude import conclude
from rageval_kit.run.evidence import seal_texts
from rageval_kit.run.family_checks import judged_together
from rageval_kit.run.measure import measure
from rageval_kit.run.open import OpenRun, open_run
from rageval_kit.run.prepare import Prepared, prepare
from rageval_kit.run.rows import AnswerRow, CaseRow
from rageval_kit.run.store import store
from rageval_kit.run.workers import check_workers, run_blocks

ALONE_PER_BLOCK = 16


class Progress(Protocol):
    """What a run reports to while it goes on."""

    def start(self, total: int) -> None: ...
    def advance(self, done: int, errors: int = 0) -> None: ...
    def finish(self) -> None: ...


class Silent:
    """A Progress that shows nothing."""

    def start(self, total: int) -> None: ...
    def advance(self, done: int, errors: int = 0) -> None: ...
    def finish(self) -> None: ...


def evaluate(plan: Plan, progress: Progress = Silent()) -> RunRecord:  # noqa: B008 - holds nothing
    """Run a plan to its archived record; an interrupted run of the same plan is gone on with."""
    check_workers(plan.target, plan.spec.engine.workers)
    prepared = prepare(plan)
    with open_run(prepared) as run:
        try:
            answers = ask_samples(prepared, run, progress)
            rows = ask_and_judge(prepared, run, progress)
            measured = measure(prepared, rows, answers)
            record = conclude(prepared, run, rows, answers, measured)
        finally:
            prepared.others.close()
            close(plan.target)
        return store(prepared, run, rows, answers, measured, record)


def close(target: Target) -> None:
    """What a foreign adapter makes of its own end changes nothing of what was seen."""
    with contextlib.suppress(Exception):
        target.close()


def cases(plan: Plan) -> tuple[Case, ...]:
    """The cases of a plan, without asking the target anything."""
    return prepare(plan).cases


def ask_samples(prepared: Prepared, run: OpenRun, progress: Progress) -> list[AnswerRow]:
    """Every judged question once, of the snapshot as it is: before the kit plants anything."""
    if prepared.questions is None:
        return []
    plan = prepared.plan
    run.connect(plan.target, prepared.original)
    return ask(prepared.questions.all, Runner(plan.target), run, progress, plan.spec.engine.block)


def ask_and_judge(prepared: Prepared, run: OpenRun, progress: Progress) -> list[CaseRow]:
    """Every case once: from the journal where it is there already, else from the target."""
    rows: list[CaseRow] = []
    run.connect(prepared.plan.target, prepared.world)
    progress.start(len(prepared.cases))
    made = list(blocks(prepared.cases, prepared.plan.spec.engine.block))
    before = [
        run.known(number, [case.case_id for case in block], CaseRow)
        for number, block in enumerate(made)
    ]
    todo = [block for block, known in zip(made, before, strict=True) if known is None]
    texts = run.sealer is not None
    with contextlib.closing(run_blocks(prepared, todo, run.key, texts=texts)) as fresh:
        for number, (block, there) in enumerate(zip(made, before, strict=True)):
            known = there
            if known is None:
                known, result = next(fresh)
                seal_texts(prepared, run, number, block, known, result.traces)
                run.keep(number, known, result)
            rows += known
            progress.advance(len(known), sum(row.outcome == "failed" for row in known))
    progress.finish()
    return judged_together(prepared.families, rows)


def blocks(cases: Sequence[Case], size: int) -> Iterator[list[Case]]:
    """Consecutive cases, fixed by the suite alone, so that a resumed run has the same blocks.

    Cases that share batches and cases that run alone stand in blocks of their own kind.
    """
    block: list[Case] = []
    for case in cases:
        limit = ALONE_PER_BLOCK if case.script.alone else size
        if block and (len(block) >= limit or block[0].script.alone != case.script.alone):
            yield block
            block = []
        block.append(case)
    if block:
        yield block
