"""Which full texts are kept of a run, and for whom?

Of every case that is violated, or may become so when its family is judged as one: what was asked,
what every tap showed, what was answered. Sealed before its block stands in the journal, so that a
run that is gone on with has the texts of all of its blocks and never half of one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rageval_kit.archive.canonical import plain
from rageval_kit.records.cases import Case, Observation, Step, Together, Trace
from rageval_kit.records.decisions import JudgmentNote
from rageval_kit.records.target import Seen, Stage
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.family_checks import family_words
from rageval_kit.run.open import OpenRun
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import AnswerRow, CaseRow

NONE = (
    "Full texts are kept here only when keys of recipients are configured. None were.\n"
    "只有配置了收件人密钥时，此处才保存全文。本次未配置。\n"
)
SOME = (
    "Full texts of findings, a JSON line for each case, encrypted (age) for these keys alone:\n"
    "发现项的全文，每个用例一行 JSON，仅为下列公钥加密（age）：\n\n{keys}\n\n"
    "rageval-kit unseal RUN --identity KEY -o FOLDER, or: age -d -i KEY FILE\n"
)


def readme(run: OpenRun) -> str:
    return NONE if run.sealer is None else SOME.format(keys="\n".join(run.sealer.names))


def seal_texts(
    prepared: Prepared,
    run: OpenRun,
    number: int,
    block: Sequence[Case],
    rows: Sequence[CaseRow],
    traces: Sequence[Trace],
) -> None:
    """Seal the texts of one block; `traces` are those of every repeat, one after the other."""
    if run.sealer is None:
        return
    as_one = {family.id for family in prepared.families if family_words(family)}
    wanted = {row.case_id: row for row in rows if _matters(row, as_one)}
    cases = {case.case_id: case for case in block}
    run.sealer.put(
        run.folder,
        f"block-{number:06d}",
        (
            _in_full(cases[trace.case_id], wanted[trace.case_id], trace, position // len(block))
            for position, trace in enumerate(traces)
            if trace.case_id in wanted
        ),
    )


def seal_samples(
    prepared: Prepared,
    run: OpenRun,
    answers: Sequence[AnswerRow],
    forbidden: Sequence[JudgmentNote],
) -> None:
    """Seal the questions whose results their reader may not read."""
    if run.sealer is None or prepared.questions is None:
        return
    asked = {question.query_id: question.sample.question for question in prepared.questions.all}
    notes: dict[str, list[str]] = {}
    for note in forbidden:
        notes.setdefault(note.query_id, []).append(note.document_id)
    run.sealer.put(
        run.folder,
        "samples",
        (
            {
                "query_id": answer.query_id,
                "reader": answer.reader_id,
                "asked": asked[answer.query_id],
                "ids": answer.ids,
                "forbidden": notes[answer.query_id],
            }
            for answer in answers
            if answer.query_id in notes
        ),
    )


def _matters(row: CaseRow, as_one: frozenset[str] | set[str]) -> bool:
    return row.outcome is Outcome.VIOLATED or (row.family in as_one and any(row.told.values()))


def _in_full(case: Case, row: CaseRow, trace: Trace, repeat: int) -> dict[str, Any]:
    return {
        "case_id": case.case_id,
        "family": row.family,
        "repeat": repeat,
        "outcome": str(row.outcome),
        "reader": row.reader_id,
        "document": row.document_id,
        "findings": plain(row.findings),
        "steps": list(_steps(case.script.steps, trace.observations)),
    }


def _steps(steps: Sequence[Step], observations: Sequence[Observation]) -> Iterator[dict[str, Any]]:
    for one in observations:
        step = steps[one.step]
        yield {
            "step": one.step,
            "part": one.part,
            "role": one.role,
            "principal": one.principal_id,
            "asked": _asked(step.asks[one.part] if isinstance(step, Together) else step),
            # What came beside the mapped stages may hold secrets of the transport: a cookie, say.
            "seen": {
                str(stage): _shown(seen)
                for stage, seen in one.seen.items()
                if stage is not Stage.REPLY
            },
            "error": one.error,
            "detail": one.detail,
        }


def _asked(step: object) -> str:
    """The words of a question, a door or a handle; a step of the kit's own has none."""
    words = (getattr(step, name, "") for name in ("query", "text", "handle", "sink"))
    return next((word for word in words if word), "")


def _shown(seen: Seen) -> Mapping[str, Any]:
    """Everything but numbers of no meaning by themselves; what a tap did not show is left out."""
    told: dict[str, Any] = {
        "ids": seen.ids,
        "texts": seen.texts,
        "count": seen.count,
        "status": seen.status,
        "calls": plain(seen.calls),
        "facets": seen.facets,
        "links": seen.links,
    }
    return {name: value for name, value in told.items() if value not in (None, (), [])}
