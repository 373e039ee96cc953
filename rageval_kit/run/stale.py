"""Which judgments were made on another version of their document than the snapshot holds?"""

from dataclasses import dataclass
from datetime import datetime

from rageval_kit.records.decisions import JudgmentNote
from rageval_kit.records.world import Version
from rageval_kit.run.labelling import labelled_at, labelled_on
from rageval_kit.run.questions import RELEVANT, Questions


@dataclass(frozen=True, slots=True)
class Staleness:
    """`stale`: judgments older than the newest version of their document; `share` of the relevant.

    `undated`: questions judged on another snapshot without saying when.
    """

    labelled_on: tuple[str, ...]
    stale: tuple[JudgmentNote, ...]
    share: float | None
    undated: int


def staleness(questions: Questions, digest: str, known_at: datetime) -> Staleness:
    """Judgments made on this very snapshot are current whatever their date."""
    made_on = {question.query_id: labelled_on(question.sample) for question in questions.all}
    stale, relevant, old, undated = [], 0, 0, 0
    newest = _Newest(questions, known_at)
    for question in questions.all:
        relevant += sum(grade >= RELEVANT for grade in question.grades.values())
        if made_on[question.query_id] == digest:
            continue
        date = labelled_at(question.sample, questions.world.timezone)
        undated += date is None and bool(made_on[question.query_id])
        if date is None:
            continue
        for item, grade in question.grades.items():
            latest = newest.of(item)
            if latest is not None and latest > date:
                stale.append(JudgmentNote(question.query_id, item))
                old += grade >= RELEVANT
    named = tuple(sorted({name for name in made_on.values() if name}))
    return Staleness(named, tuple(stale), old / relevant if relevant else None, undated)


@dataclass(slots=True)
class _Newest:
    """When the newest version of a judged document was recorded, as far as it is known by then."""

    questions: Questions
    known_at: datetime

    def of(self, item: str) -> datetime | None:
        document_id = self.questions.document_of.get(item)
        if document_id is None:
            return None
        document = self.questions.world.documents[document_id]
        began = [_began(version) for version in document.versions]
        return max((at for at in began if at is not None and at <= self.known_at), default=None)


def _began(version: Version) -> datetime | None:
    """A version recorded since ever is as new as its validity."""
    return version.recorded_from or version.valid_from
