"""How is a finished run kept: records, reports, then the manifest over all of it?"""

import contextlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rageval_kit.archive.canonical import plain
from rageval_kit.archive.encoding import encode_record
from rageval_kit.archive.manifest import seal
from rageval_kit.gates.decision import decide_run
from rageval_kit.records.decisions import FamilyResult, RunRecord
from rageval_kit.records.faults import KitError
from rageval_kit.records.verdicts import CountsAs, Severity, Verdict
from rageval_kit.report.files import write_reports
from rageval_kit.report.standards import family_standards
from rageval_kit.run.evidence import readme, seal_samples
from rageval_kit.run.measure import Measured
from rageval_kit.run.open import OpenRun
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import AnswerRow, CaseRow, answered
from rageval_kit.run.score_table import scores_parquet

SELF_LEAK = "LOG-06"
NO_CANARIES = "the target lacks the power plant"  # no canary in it: none to be searched for
PIECE, OVERLAP = 1 << 20, 512
CANARY = re.compile(r"[A-Z]{4,6}-[0-9]{4,6}-[A-Z]{4,6}-[0-9]{4,6}")
REPORT_FILES = (
    "decision.json",
    "summary.json",
    "findings.jsonl",
    "findings.csv",
    "results.sarif",
    "junit.xml",
    "statement.intoto.json",
)


def store(
    prepared: Prepared,
    run: OpenRun,
    rows: Sequence[CaseRow],
    answers: Sequence[AnswerRow],
    measured: Measured,
    record: RunRecord,
) -> RunRecord:
    """Write everything, search it for canaries, and seal it; the record as archived.

    Where that stops half way, what was written is taken back: the journal has the run.
    """
    try:
        _write_evidence(prepared, run, rows, record)
        seal_samples(prepared, run, answers, measured.forbidden)
        if prepared.questions is not None:
            run.folder.write_chain("samples.jsonl", (plain(answer) for answer in answers))
        if measured.tables:
            run.folder.write_bytes("scores.parquet", scores_parquet(measured.tables))
        record = _with_self_check(prepared, run, rows, answers, record)
        digest = seal(
            run.folder,
            run_id=run.run_id,
            fingerprint=record.fingerprint,
            previous=record.previous or None,
            sign=run.sign,
        )
        return replace(record, digest=digest)
    except BaseException:
        with contextlib.suppress(KitError):  # the first error is the one to tell
            run.folder.clear()
        raise


def _write_evidence(
    prepared: Prepared, run: OpenRun, rows: Sequence[CaseRow], record: RunRecord
) -> None:
    folder = run.folder
    folder.write_chain("cases.jsonl", (_case(row) for row in rows))
    folder.write_chain("traces.jsonl", (_trace(row) for row in rows))
    folder.write_chain("verdicts.jsonl", (_verdict(row) for row in rows))
    folder.write_text("config.yaml", prepared.plan.request.config_text)
    folder.write_text("config.resolved.yaml", prepared.plan.request.resolved_text)
    folder.write_json("provenance.json", _provenance(prepared, run, record))
    folder.write_text("evidence/README.txt", readme(run))


def _write_record(
    prepared: Prepared, run: OpenRun, rows: Sequence[CaseRow], record: RunRecord
) -> None:
    spec = prepared.plan.spec

    def keep(name: str, content: bytes) -> None:
        run.folder.write_bytes(name, content)

    run.folder.write_json("decision.json", record.decision)
    run.folder.write_bytes("summary.json", encode_record(record))
    write_reports(
        record,
        keep,
        lang=spec.report.lang or spec.lang,
        formats=spec.report.formats,
        sections=spec.report.sections,
        verdict_rows=verdicts_of(rows),
        subjects=subjects_of(record),
    )


def verdicts_of(rows: Iterable[CaseRow]) -> list[Verdict]:
    """The verdicts as JUnit tells them."""
    return [
        Verdict(
            row.case_id,
            row.family,
            row.outcome,
            row.reason,
            row.findings,
            row.notes,
            reader_id=row.reader_id,
            document_id=row.document_id,
            denied_by=row.denied_by,
            twin_ok=row.twin_ok,
        )
        for row in rows
    ]


def subjects_of(record: RunRecord) -> Mapping[str, str]:
    """What the statement speaks of, by digest."""
    about = {
        "corpus snapshot": record.snapshot_digest,
        "directory": record.directory_digest,
        "suite": record.suite_hash,
    }
    if record.payloads is not None:
        about["payloads"] = record.payloads.digest
    return about if record.samples is None else {**about, "samples": record.samples.digest}


def _with_self_check(
    prepared: Prepared,
    run: OpenRun,
    rows: Sequence[CaseRow],
    answers: Sequence[AnswerRow],
    record: RunRecord,
) -> RunRecord:
    """Write records and reports and search every file for canaries; a hit is a violation."""
    asked = any(family.id == SELF_LEAK for family in prepared.families)
    if prepared.detector is None or not asked:
        if asked:
            record = replace(record, not_run=(*record.not_run, (SELF_LEAK, NO_CANARIES)))
        _write_record(prepared, run, rows, record)
        return record
    files = len(_files(run)) + len(REPORT_FILES) + len(prepared.plan.spec.report.formats)
    n_answered = answered(rows, answers)
    clean = _decided(prepared, record, n_answered, (), files)
    _write_record(prepared, run, rows, clean)
    leaky = [path.name for path in _files(run) if carries_canary(prepared, path)]
    if not leaky:
        return clean
    found = _decided(prepared, record, n_answered, leaky, files)
    _write_record(prepared, run, rows, found)
    return found


def _files(run: OpenRun) -> list[Path]:
    return sorted(path for path in run.folder.path.rglob("*") if path.is_file())


def carries_canary(prepared: Prepared, path: Path) -> bool:
    """What people read is searched for every disguise, records of ids and hashes for the tokens.

    Read in pieces that overlap by more than a canary is long.
    """
    detector, tokens = prepared.detector, prepared.scene.canaries
    tail = ""
    with path.open(encoding="utf-8", errors="replace") as file:
        while piece := file.read(PIECE):
            text = tail + piece
            if any(token in tokens for token in CANARY.findall(text)):
                return True
            if path.suffix != ".jsonl" and detector is not None and detector.find(text):
                return True
            tail = piece[-OVERLAP:]
    return False


def _decided(
    prepared: Prepared,
    record: RunRecord,
    n_answered: int,
    leaky: Sequence[str],
    files: int = 0,
) -> RunRecord:
    family = next(f for f in prepared.families if f.id == SELF_LEAK)
    own = FamilyResult(
        family=SELF_LEAK,
        title=family.title,
        severity=Severity.HIGH,
        counts_as=CountsAs.SECURITY,
        planned=files or 1,
        held=(files or 1) - len(leaky),
        violated=len(leaky),
        exhaustive=True,
        reasons={f"a canary stands in {name}": 1 for name in leaky},
        motive=family.motive,
        limits=family.limits,
        standards=family_standards(SELF_LEAK),
        has_readers=False,
    )
    families = (*record.families, own)
    calls = record.calls
    decision = decide_run(
        prepared.plan.gate,
        families,
        record.metrics,
        calls=calls,
        calls_answered=n_answered,
        controls=record.controls,
        samples=record.samples,
    )
    return replace(record, families=families, decision=decision)


def _case(row: CaseRow) -> dict[str, Any]:
    return {
        "case_id": row.case_id,
        "family": row.family,
        "seed": row.seed,
        "reader": row.reader_id,
        "document": row.document_id,
        "twin": row.twin_id,
        "variant": [list(pair) for pair in row.variant],
        "wording": row.wording,
        "denied_by": list(row.denied_by),
        "query_hash": row.query_hash,
        "script": list(row.script),
    }


def _trace(row: CaseRow) -> dict[str, Any]:
    return {"case_id": row.case_id, "steps": plain(row.steps)}


def _verdict(row: CaseRow) -> dict[str, Any]:
    return {
        "case_id": row.case_id,
        "family": row.family,
        "outcome": str(row.outcome),
        "reason": row.reason,
        "notes": list(row.notes),
        "twin_ok": row.twin_ok,
        "ranks": list(row.ranks),
        "stages_seen": list(row.stages_seen),
        "stages_silent": list(row.stages_silent),
        "findings": plain(row.findings),
        "repeats": [str(outcome) for outcome in row.repeats],
        "told": dict(row.told),
    }


def _provenance(prepared: Prepared, run: OpenRun, record: RunRecord) -> dict[str, Any]:
    return {
        "run_id": record.run_id,
        "fingerprint": record.fingerprint,
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "resumed": len(run.sessions) > 1,
        "cases_taken_over": record.resumed,
        "sessions": [dict(session) for session in run.sessions],
        "user": record.user,
        "command": list(record.command),
        "config_files": [list(file) for file in prepared.plan.request.config_files],
        "versions": dict(record.versions),
        "target": record.target,
        "target_parts": dict(record.target_parts),
        "snapshot_digest": record.snapshot_digest,
        "directory_digest": record.directory_digest,
        "suite_hash": record.suite_hash,
        "payloads": plain(record.payloads),
        "seed": record.seed,
    }
