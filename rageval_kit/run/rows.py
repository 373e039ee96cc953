"""What is kept of a case: coordinates, what each step showed (ids, no text), and its verdict?"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rageval_kit.records.target import UNREACHED
from rageval_kit.records.verdicts import Finding, Outcome

FAILED, NO_LIST = -1, -2


@dataclass(frozen=True, slots=True)
class StepRow:
    """One observation: `seen` maps a tap to ids, `told` a tap to a keyed hash of its texts."""

    step: int
    part: int
    role: str
    principal_id: str
    seen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    status: str = ""
    count: int | None = None
    error: str = ""
    acknowledged: bool | None = None
    latency_ms: float = 0.0
    tools: tuple[str, ...] = ()  # names of the tools called
    as_of: str = ""  # the time to which the system resolved the question


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case in the journal and the archive.

    `ranks` of the target for each positive twin's question: its place (from 1), 0 where it was not
    among the results, FAILED where the call failed, NO_LIST where nothing was retrieved for it: the
    cache answered.
    """

    case_id: str
    family: str
    variant: tuple[tuple[str, str], ...]
    wording: str
    seed: int
    reader_id: str
    document_id: str
    twin_id: str
    denied_by: tuple[str, ...]
    query_hash: str
    script: tuple[str, ...]
    outcome: Outcome
    reason: str = ""
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    stages_seen: tuple[str, ...] = ()
    stages_silent: tuple[str, ...] = ()
    twin_ok: bool | None = None
    ranks: tuple[int, ...] = ()
    steps: tuple[StepRow, ...] = ()
    told: Mapping[str, bool] = field(default_factory=dict)
    repeats: tuple[Outcome, ...] = ()  # of each, where the case ran several times

    @property
    def row_id(self) -> str:
        return self.case_id


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What a judged question brought: the list's ids in order; `listed` False: no list was shown.

    `error` is the class of a failed call; an empty list without one is an answer.
    """

    query_id: str
    reader_id: str
    query_hash: str
    ids: tuple[str, ...] = ()
    listed: bool = True
    error: str = ""
    latency_ms: float = 0.0

    @property
    def row_id(self) -> str:
        return self.query_id


def show_the_same(
    before: Sequence[StepRow], now: Sequence[StepRow], besides: Collection[str] = ()
) -> bool:
    """Did both times every step show the same ids at every tap, those of `besides` left out?

    Of questions asked at once any may be the one that finds the cache filled by another, and the
    next steps meet that cache: there luck decides what is shown, and only the verdict is compared.
    """
    if [(s.step, s.part) for s in before] != [(s.step, s.part) for s in now]:
        return False
    at_once = any(step.part > 0 for step in now)
    shown = [
        [{tap: ids for tap, ids in step.seen.items() if tap not in besides} for step in steps]
        for steps in (before, now)
    ]
    return at_once or shown[0] == shown[1]


SILENT = UNREACHED | {"adapter"}  # an adapter that raises has passed on no reply either


def answered(rows: Sequence[CaseRow], answers: Sequence[AnswerRow] = ()) -> int:
    """Replies of any kind: only a call that reached nobody is none."""
    errors = [step.error for row in rows for step in row.steps if step.role != "kit"]
    errors += [answer.error for answer in answers]
    return sum(error not in SILENT for error in errors)
