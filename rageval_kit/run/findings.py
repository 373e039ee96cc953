"""How is a violated case told: who, what, where, when, how sure, and what to look at first?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rageval_kit.records.decisions import FindingRecord, JudgmentNote, TimelineStep
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding, Outcome, Severity
from rageval_kit.records.world import Document
from rageval_kit.report.standards import family_standards
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.questions import Question, Questions
from rageval_kit.run.rows import CaseRow, StepRow

SHOWN_IDS = 5
SAMPLES = "samples_permitted"  # the gate that counts them stands where a family's name would


def findings(
    prepared: Prepared,
    rows: Iterable[CaseRow],
    run_id: str,
    forbidden: Sequence[JudgmentNote] = (),
) -> list[FindingRecord]:
    """One record per forbidden result of a sample and per violated case, the gravest first."""
    order = list(Severity)
    told = []
    if prepared.questions is not None:
        asked = {question.query_id: question for question in prepared.questions.all}
        told = [
            _of_sample(prepared, prepared.questions, asked[note.query_id], note, run_id)
            for note in forbidden
        ]
    told += [_finding(prepared, row, run_id) for row in rows if row.outcome is Outcome.VIOLATED]
    return sorted(told, key=lambda finding: order.index(finding.severity))


def _finding(prepared: Prepared, row: CaseRow, run_id: str) -> FindingRecord:
    variant = prepared.variants[row.case_id]
    severity = variant.severity_of([f.stage for f in row.findings])
    first = row.findings[0] if row.findings else None
    world = prepared.world
    principal = first.principal_id if first else row.reader_id
    reader = world.principals.get(principal)
    item = first.item_id if first else row.document_id
    place = prepared.scene.places.get(item)
    document = place.document if place else world.documents.get(item)
    shown = document or world.documents.get(row.document_id)
    return FindingRecord(
        case_id=row.case_id,
        family=row.family,
        severity=severity,
        principal_id=principal,
        principal_tenant=(reader.tenant_id or "") if reader else "",
        document_id=shown.document_id if shown else row.document_id,
        document_tenant=shown.tenant_id if shown else "",
        item_id=item,
        stage=str(first.stage) if first else "",
        check=", ".join(dict.fromkeys(f.check for f in row.findings)),
        denied_by=_denied_by(prepared, principal, item, row),
        evidence=_evidence(row.findings),
        timeline=tuple(_timeline(row)),
        standards=family_standards(row.family),
        replay=f"rageval-kit replay {run_id} {row.case_id}",
        look_first=variant.look_first,
        role=_role(row, first),
        asked_about=row.document_id,
    )


def _of_sample(
    prepared: Prepared, questions: Questions, question: Question, note: JudgmentNote, run_id: str
) -> FindingRecord:
    """A result of a judged question that its reader may not read: no other check was needed."""
    spec = prepared.plan.spec
    reader, item = questions.world.principals[question.reader_id], note.document_id
    document = questions.world.documents[questions.document_of[item]]
    times = {"as_of": question.sample.as_of or spec.as_of, "known_at": spec.known_at}
    step = TimelineStep(0.0, "reader", f"reader {question.reader_id} asks", question.reader_id)
    return FindingRecord(
        case_id=note.query_id,
        family=SAMPLES,
        severity=Severity.CRITICAL,
        principal_id=question.reader_id,
        principal_tenant=reader.tenant_id or "",
        document_id=document.document_id,
        document_tenant=document.tenant_id,
        item_id=item,
        stage=str(Stage.RETRIEVE),
        check="forbidden_document",
        denied_by=_least_denied(prepared, question.reader_id, document, item, times),
        evidence=f"seen at {Stage.RETRIEVE}; ids {item}",
        timeline=(replace(step, leaked=True),),
        standards=(),
        replay=f"rageval-kit replay {run_id} {note.query_id}",
    )


def _role(row: CaseRow, first: Finding | None) -> str:
    """Whose step leaked."""
    if first is None:
        return "reader"
    roles = [
        s.role for s in row.steps if s.step == first.step and s.principal_id == first.principal_id
    ]
    return roles[0] if roles else "reader"


def _denied_by(prepared: Prepared, principal_id: str, item: str, row: CaseRow) -> tuple[str, ...]:
    """Why whoever saw it may not: the case's own words for its own pair, else the monitor's.

    Of several passages that one id stands for, the one denied by least speaks.
    """
    place = prepared.scene.places.get(item)
    document = place.document if place else prepared.world.documents.get(item)
    own = document is None or document.document_id == row.document_id
    if document is None or (own and principal_id == row.reader_id and row.denied_by):
        return row.denied_by
    return _least_denied(prepared, principal_id, document, item, {}) or row.denied_by


def _least_denied(
    prepared: Prepared, principal_id: str, document: Document, item: str, times: Mapping[str, Any]
) -> tuple[str, ...]:
    """Why a passage, or a passage of the version or document, is denied; the shortest answer."""
    reasons = [
        prepared.scene.monitor.decide(
            principal_id, document.document_id, version.version_id, chunk.chunk_id, **times
        )
        for version in document.versions
        for chunk in version.chunks
        if item in (document.document_id, version.version_id, chunk.chunk_id)
    ]
    return min(filter(None, reasons), key=len, default=())


def _evidence(found: Sequence[Finding]) -> str:
    stages = dict.fromkeys(str(f.stage) for f in found)
    items = dict.fromkeys(f.item_id for f in found)
    notes = dict.fromkeys(f.evidence for f in found if f.evidence)
    parts = [f"seen at {', '.join(stages)}", f"ids {', '.join(list(items)[:SHOWN_IDS])}"]
    if len(items) > SHOWN_IDS:
        parts.append(f"and {len(items) - SHOWN_IDS} more")
    return "; ".join([*parts, *notes])


def _timeline(row: CaseRow) -> Iterable[TimelineStep]:
    by_step: dict[int, list[StepRow]] = {}
    for step in row.steps:
        by_step.setdefault(step.step, []).append(step)
    at_s = 0.0
    leaking = {finding.step for finding in row.findings}
    for index, said in enumerate(row.script):
        if said.startswith("wait "):
            at_s += float(said.split()[1])
        observed = by_step.get(index, [])
        first = observed[0] if observed else None
        yield TimelineStep(
            at_s,
            first.role if first else "",
            said,
            first.principal_id if first else "",
            _shown(observed),
            leaked=index in leaking,
        )


def _shown(observed: Sequence[StepRow]) -> str:
    parts = []
    for step in observed[:2]:
        if step.error:
            parts.append(f"error {step.error}")
        elif step.count is not None:
            parts.append(f"count {step.count}")
        elif step.status:
            parts.append(
                f"{step.status}: {', '.join(step.seen.get('citation', ())[:2])}".rstrip(": ")
            )
        elif "retrieve" in step.seen:
            ids = step.seen["retrieve"]
            parts.append(f"{len(ids)} results, first {', '.join(ids[:2])}")
        elif "cache" in step.seen:
            parts.append(f"from cache: {', '.join(step.seen['cache'][:SHOWN_IDS])}")
        elif step.acknowledged is not None:
            parts.append("confirmed" if step.acknowledged else "not confirmed")
    return "; ".join(parts)
