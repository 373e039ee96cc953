"""What did the target return for each judged question, asked once, however often interrupted?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rageval_kit.archive.keys import keyed_hash
from rageval_kit.execute.block import BlockResult, Runner
from rageval_kit.records.cases import Trace
from rageval_kit.records.target import Stage
from rageval_kit.run.open import OpenRun
from rageval_kit.run.questions import Question
from rageval_kit.run.rows import AnswerRow

if TYPE_CHECKING:
    from rageval_kit.run.evaluate import Progress

FIRST_BLOCK = 1_000_000_000  # in the journal the blocks of cases are numbered below it


def ask(
    questions: Sequence[Question], runner: Runner, run: OpenRun, progress: "Progress", size: int
) -> list[AnswerRow]:
    """Every question once, `size` at a time, in blocks of their own in the journal."""
    rows: list[AnswerRow] = []
    progress.start(len(questions))
    for start in range(0, len(questions), size):
        block = questions[start : start + size]
        number = FIRST_BLOCK + start // size
        known = run.known(number, [question.query_id for question in block], AnswerRow)
        if known is None:
            known, result = answers_of(block, runner, run.key)
            run.keep(number, known, result)
        rows += known
        progress.advance(len(known), sum(bool(row.error) for row in known))
    progress.finish()
    return rows


def answers_of(
    questions: Sequence[Question], runner: Runner, key: bytes
) -> tuple[list[AnswerRow], BlockResult]:
    """One block of questions asked, and what is kept of it."""
    result = runner.run([question.script for question in questions])
    pairs = zip(questions, result.traces, strict=True)
    return [_row(question, trace, key) for question, trace in pairs], result


def _row(question: Question, trace: Trace, key: bytes) -> AnswerRow:
    """What is kept: ids in the order of the list, the failure's class; no query and no text."""
    (observation,) = trace.observations
    shown = observation.seen.get(Stage.RETRIEVE)
    return AnswerRow(
        query_id=question.query_id,
        reader_id=question.reader_id,
        query_hash=keyed_hash(key, question.sample.question),
        ids=() if shown is None else shown.ids,
        listed=shown is not None,
        error=observation.error,
        latency_ms=round(observation.latency_s * 1000, 1),
    )
