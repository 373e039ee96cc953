"""Which files does a report consist of, and how are they written all or none?"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from rageval_kit.records.decisions import FindingRecord, RunRecord
from rageval_kit.records.verdicts import Verdict
from rageval_kit.report.junit import junit
from rageval_kit.report.plain import json_bytes
from rageval_kit.report.render import render
from rageval_kit.report.sarif import sarif
from rageval_kit.report.spreadsheet import csv_rows
from rageval_kit.report.statement import statement
from rageval_kit.report.view import most_severe_first
from rageval_kit.report.words import Lang

Writer = Callable[[str, bytes], None]

_COLUMNS = (
    "case_id",
    "family",
    "severity",
    "principal_id",
    "principal_tenant",
    "document_id",
    "document_tenant",
    "item_id",
    "stage",
    "check",
    "evidence",
    "replay",
)


def _lines(findings: Iterable[FindingRecord]) -> bytes:
    return b"".join(json_bytes(finding) + b"\n" for finding in findings)


def _table(findings: Iterable[FindingRecord]) -> bytes:
    rows = ([str(getattr(finding, name)) for name in _COLUMNS] for finding in findings)
    # The mark at the start tells a spreadsheet that Chinese text is UTF-8.
    return csv_rows(_COLUMNS, rows).encode("utf-8-sig", "backslashreplace")


def write_reports(
    run: RunRecord,
    folder_writer: Writer,
    *,
    lang: Lang = "en",
    formats: Sequence[str] = ("html", "md"),
    sections: Sequence[str] = (),
    title: str = "",
    verdict_rows: Iterable[Verdict] = (),
    subjects: Mapping[str, str] | None = None,
) -> tuple[str, ...]:
    """Give `folder_writer` each file by name and bytes, only once all of them could be made.

    `subjects` (name to SHA-256) are what the statement speaks of: the snapshot, if left out.
    """
    made = {
        f"report.{form}": render(run, form, lang, sections, title).encode("utf-8")
        for form in formats
    }
    findings = most_severe_first(run.findings)
    made["findings.jsonl"] = _lines(findings)
    made["findings.csv"] = _table(findings)
    made["results.sarif"] = json_bytes(sarif(run), indent=True)
    made["junit.xml"] = junit(run, verdict_rows)
    about = {"snapshot": run.snapshot_digest} if subjects is None else subjects
    made["statement.intoto.json"] = json_bytes(statement(run, about), indent=True)
    for name, content in made.items():
        folder_writer(name, content)
    return tuple(made)
