"""What do the lists that came back hold, at the grain of the judgments, joined with these?"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from rageval_kit.records.decisions import JudgmentNote
from rageval_kit.records.scores import Ints, JudgedRankings
from rageval_kit.records.target import Grain
from rageval_kit.run.questions import RELEVANT, Question, Questions
from rageval_kit.run.rows import AnswerRow

STRANGE = "failed: a result is not in the snapshot"
SILENT = "unmeasured: the target showed no list"
DENIED = "not_applicable: no relevant document is permitted to the reader"


@dataclass(slots=True)
class Lists:
    """`judged` is what metrics see; the rest is counted on the way.

    `duplicates`: results whose document stood higher already; `forbidden`: results that their
    reader may not read, of every reply; `answered`: lists that came back; `looked_at`: those whose
    every result the snapshot knows, so that each could be held against what its reader may read.
    """

    judged: JudgedRankings
    rolled_up: bool
    answered: int = 0
    looked_at: int = 0
    duplicates: int = 0
    forbidden: list[JudgmentNote] = field(default_factory=list)


def read_lists(questions: Questions, answers: Sequence[AnswerRow]) -> Lists:
    """Every list rolled up to what the judgments name, first place kept, and joined with them."""
    reader = _Reader(questions)
    for i, (question, answer) in enumerate(zip(questions.all, answers, strict=True)):
        reader.read(i, question, answer)
    return reader.lists()


class _Reader:
    """Gathers the columns of JudgedRankings list by list."""

    def __init__(self, questions: Questions) -> None:
        self.questions = questions
        self.rows: list[tuple[int, int, int]] = []  # query, rank, grade
        self.unjudged: list[tuple[int, int]] = []
        self.unranked: dict[int, str] = {}
        self.returned = np.zeros(len(questions.all), dtype=np.int64)
        self.answered = self.looked_at = self.duplicates = 0
        self.forbidden: list[JudgmentNote] = []

    def read(self, i: int, question: Question, answer: AnswerRow) -> None:
        strange = self._look(question, answer)
        why = self._missing(question, answer, strange=strange)
        if why:
            self.unranked[i] = why
            return
        ids = self._at_grain(answer.ids)
        self.returned[i] = len(ids)
        for rank, item in enumerate(ids, 1):
            grade = question.grades.get(item)
            if grade is None or grade < 0:  # below 0: as if nobody had judged it
                self.unjudged.append((i, rank))
            if grade is not None:
                self.rows.append((i, rank, grade))

    def _look(self, question: Question, answer: AnswerRow) -> bool:
        """Count what the reader may not read, whatever else is wrong; is any result unknown?"""
        may_see, seen = question.may_see, dict.fromkeys(answer.ids)
        self.forbidden += [
            JudgmentNote(question.query_id, item)
            for item in seen
            if may_see.knows(item) and item not in may_see
        ]
        # Unknown, or of another grain than the target names: neither allowed nor forbidden.
        strange = not all(map(may_see.knows, seen))
        self.answered += answer.listed and not answer.error
        self.looked_at += answer.listed and not strange
        return strange

    def _missing(self, question: Question, answer: AnswerRow, *, strange: bool) -> str:
        if answer.error:
            return f"failed: {answer.error}"
        if not answer.listed:
            return SILENT
        if strange:
            return STRANGE
        relevant = any(grade >= RELEVANT for grade in question.grades.values())
        return DENIED if question.denied and not relevant else ""

    def _at_grain(self, ids: Sequence[str]) -> list[str]:
        if self.questions.grain is Grain.DOCUMENT:
            known = self.questions.document_of
            named = [known[item] for item in ids]
        else:
            named = list(ids)
        first = list(dict.fromkeys(named))
        self.duplicates += len(named) - len(first)
        return first

    def lists(self) -> Lists:
        rows = np.array(self.rows, dtype=np.int64).reshape(-1, 3)
        unjudged = np.array(self.unjudged, dtype=np.int64).reshape(-1, 2)
        query, grade = _judgments(self.questions)
        judged = JudgedRankings(
            n_queries=len(self.returned),
            query=rows[:, 0],
            rank=rows[:, 1],
            grade=rows[:, 2],
            judged_query=query,
            judged_grade=grade,
            unranked=self.unranked,
            returned=self.returned,
            unjudged_query=unjudged[:, 0],
            unjudged_rank=unjudged[:, 1],
            conventions=self.questions.conventions,
        )
        rolled_up = self.questions.shown is not self.questions.grain
        return Lists(
            judged, rolled_up, self.answered, self.looked_at, self.duplicates, self.forbidden
        )


def _judgments(questions: Questions) -> tuple[Ints, Ints]:
    """Every judgment that counts, by query, best grade first."""
    pairs = [
        (i, grade)
        for i, question in enumerate(questions.all)
        for grade in sorted(question.grades.values(), reverse=True)
    ]
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]
