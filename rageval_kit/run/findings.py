"""How is a violated case told: who, what, where, when, how sure, and what to look at first?"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rageval_kit.records.cases import Case
from rageval_kit.records.decisions import FindingRecord, JudgmentNote, TimelineStep
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding, Outcome, Severity
from rageval_kit.report.standards import family_standards
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.questions import Question, Questions
from rageval_kit.run.rows import CaseRow
from rageval_kit.run.sighting import Sighting, Sightings, facts, least_denied
from rageval_kit.run.timeline import timeline

SHOWN_IDS = 5
SAMPLES = "samples_permitted"  # the gate that counts them stands where a family's name would
# Checks that look for what an order brings about: there the order itself is evidence.
BY_ORDER = frozenset({"goal_reached", "egress", "payload_echo", "stripped"})


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
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    cases = {case.case_id: case for case in prepared.cases} if violated else {}
    sightings = Sightings(prepared)
    told += [_finding(sightings, row, cases.get(row.case_id), run_id) for row in violated]
    return sorted(told, key=lambda finding: order.index(finding.severity))


def _finding(sightings: Sightings, row: CaseRow, case: Case | None, run_id: str) -> FindingRecord:
    prepared = sightings.prepared
    variant = prepared.variants[row.case_id]
    first = _told_first(sightings, row)
    principal = first.principal_id if first else row.reader_id
    reader = prepared.world.principals.get(principal)
    own = prepared.world.documents.get(row.document_id)
    seen = sightings.of(row, first, case) if first else Sighting(own, denied_by=row.denied_by)
    return FindingRecord(
        case_id=row.case_id,
        family=row.family,
        severity=variant.severity_of([f.stage for f in row.findings]),
        principal_id=principal,
        principal_tenant=(reader.tenant_id or "") if reader else "",
        document_id=seen.document.document_id if seen.document else row.document_id,
        document_tenant=seen.document.tenant_id if seen.document else "",
        item_id=first.item_id if first else row.document_id,
        stage=str(first.stage) if first else "",
        check=", ".join(dict.fromkeys(f.check for f in row.findings)),
        denied_by=seen.denied_by,
        evidence="; ".join(_evidence(row, seen, case)),
        timeline=tuple(timeline(row, case)),
        standards=family_standards(row.family),
        replay=f"rageval-kit replay {run_id} {row.case_id}",
        look_first=variant.look_first,
        role=_role(row, first),
        asked_about=row.document_id,
    )


def _told_first(sightings: Sightings, row: CaseRow) -> Finding | None:
    """What the case is about where it was seen, before what surfaced beside it."""
    own = (f for f in row.findings if sightings.document_of(f.item_id) == row.document_id)
    return next(own, row.findings[0] if row.findings else None)


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
        denied_by=least_denied(prepared.scene.monitor, question.reader_id, document, item, times),
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


def _evidence(row: CaseRow, seen: Sighting, case: Case | None) -> Iterator[str]:
    """Where and what, as the checks noted it; then the dates, the order and the repeats."""
    found = row.findings
    yield f"seen at {', '.join(dict.fromkeys(str(f.stage) for f in found))}"
    items = list(dict.fromkeys(f.item_id for f in found))
    yield f"ids {', '.join(items[:SHOWN_IDS])}"
    if len(items) > SHOWN_IDS:
        yield f"and {len(items) - SHOWN_IDS} more"
    yield from dict.fromkeys(f.evidence for f in found if f.evidence)
    yield from facts(seen)
    checks = {f.check for f in found}
    own = seen.document is not None and seen.document.document_id == row.document_id
    if own and row.told.get("right_value") and "value" not in checks:
        yield "the right value is stated"
    payload = case.expectation.payload if case else None
    if payload is not None and checks & BY_ORDER:
        yield (
            f"order for {payload.goal}, wording {payload.technique}, carrier {payload.carrier}, "
            f"disguise {payload.transform}"
        )
    if row.repeats:
        violated = sum(outcome is Outcome.VIOLATED for outcome in row.repeats)
        yield f"violated in {violated} of {len(row.repeats)} repeats"
