"""What does a finished run say on the terminal, and what does it say to a machine?"""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from rageval_kit.records.decisions import FamilyResult, FindingRecord, GateResult, RunRecord
from rageval_kit.report.visible import visible

_SHOWN_FINDINGS = 3
_HEAD = ("family", "cases", "held", "violated", "not observed", "upper bound 95 %")


def people_text(record: RunRecord, folder: Path) -> str:
    """Return the end of a run as people read it; ids of strangers show no control characters."""
    pairs = sum(family.pairs_tested for family in record.families)
    suites = ", ".join(record.suites) or "no suite"
    lines = [
        f"{suites} on {record.target} · {record.snapshot} {record.snapshot_digest[:4]}… · "
        f"{record.cases_executed:,} cases, {pairs:,} principal × document pairs",
        "",
        *_table(record.families),
        *_controls(record),
        "",
        *_verdict(record),
        "",
        f"report  {folder / 'report.html'}",
    ]
    return "\n".join(visible(line) for line in lines)


def machine_text(record: RunRecord, folder: Path) -> str:
    """Return one JSON object: which run, how it ended, where it lies."""
    told = {
        "run_id": record.run_id,
        "fingerprint": record.fingerprint,
        "outcome": str(record.decision.outcome),
        "exit_code": record.decision.exit_code,
        "folder": str(folder),
        "decision": asdict(record.decision),
        "cases": {"planned": record.cases_planned, "executed": record.cases_executed},
        "findings": record.findings_total,
        "not_run": [list(pair) for pair in record.not_run],
    }
    return json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False)


def _table(families: Iterable[FamilyResult]) -> list[str]:
    rows = [
        (
            f"{family.family} {family.title.get('en', '')}".strip(),
            f"{family.planned:,}",
            f"{family.held:,}",
            f"{family.violated:,}",
            f"{family.unobserved + family.failed:,}",
            _bound(family),
        )
        for family in families
        if not family.not_applicable
    ]
    if not rows:
        return ["no family was run"]
    widths = [max(_width(row[i]) for row in (_HEAD, *rows)) for i in range(len(_HEAD))]
    return [
        "  ".join(
            _padded(cell, width, left=i == 0)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (_HEAD, *rows)
    ]


def _bound(family: FamilyResult) -> str:
    if family.exhaustive and not family.pairs_leaked:
        return "exhaustive"
    if family.upper_bound is None:
        return "–"
    return f"≤ {family.upper_bound * 100:.2g} %"


def _controls(record: RunRecord) -> list[str]:
    told = [
        f"{control.title.get('en', control.control)} "
        + ("not measured" if control.met is None else f"{control.n:,}/{control.n_total:,}")
        for control in record.controls
    ]
    if record.proof.suite_hash:
        told.append(f"faults killed {record.proof.faults_killed}/{record.proof.faults_total}")
    return ["", "controls: " + " · ".join(told)] if told else []


def _verdict(record: RunRecord) -> list[str]:
    decision = record.decision
    lines = [f"{str(decision.outcome).upper()}  exit {decision.exit_code}"]
    lines.extend(_gate(gate) for gate in decision.gates if not gate.met)
    for number, finding in enumerate(record.findings[:_SHOWN_FINDINGS], 1):
        lines.extend(_finding(number, finding, record.run_id))
    if record.findings_total > _SHOWN_FINDINGS:
        lines.append(f"  and {record.findings_total - _SHOWN_FINDINGS:,} more in the report")
    if record.not_run:
        told = ", ".join(f"{what} ({why})" for what, why in record.not_run)
        lines.append(f"not run: {told}")
    return lines


def _gate(gate: GateResult) -> str:
    reasons = f" · {'; '.join(gate.reasons)}" if gate.reasons else ""
    shown = f" (met {gate.shown})" if gate.shown else ""
    return f"  {gate.kind}  {gate.rule}{shown}{reasons}"


def _finding(number: int, finding: FindingRecord, run_id: str) -> list[str]:
    reader = finding.principal_id
    if finding.principal_tenant:
        reader += f" (tenant {finding.principal_tenant})"
    document = finding.document_id
    if finding.document_tenant:
        document += f" (tenant {finding.document_tenant})"
    return [
        f"  {number}. {finding.family} {finding.severity}: {reader} got {document} "
        f"from {finding.stage}",
        f"     rageval-kit explain {run_id} {finding.case_id}",
    ]


def _width(text: str) -> int:
    """Return the columns a terminal gives to a text; Chinese characters take two."""
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _padded(text: str, width: int, *, left: bool) -> str:
    blank = " " * (width - _width(text))
    return text + blank if left else blank + text
