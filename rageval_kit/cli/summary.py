"""What does a finished run say on the terminal, and what does it say to a machine?"""

import os
import shutil
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rageval_kit.records.decisions import RunRecord
from rageval_kit.report.terminal import terminal
from rageval_kit.schema import Lang


def people_text(record: RunRecord, folder: Path, lang: Lang) -> str:
    """Return the end of a run as people read it; colour only where a terminal shows it."""
    text = terminal(
        record,
        lang=lang,
        width=shutil.get_terminal_size((100, 24)).columns,
        color=sys.stderr.isatty() and not os.environ.get("NO_COLOR"),
        path=str(next((page for page in _pages(folder) if page.exists()), folder)),
    )
    if not record.digest:
        return text
    # Kept elsewhere, it shows later that this is the very run: verify --expect.
    return f"{text} {'摘要' if lang == 'zh' else 'digest'}  {record.digest}\n"


def _pages(folder: Path) -> list[Path]:
    return [folder / "report.html", folder / "report.md"]


def told(record: RunRecord, folder: Path) -> dict[str, Any]:
    """Return what a machine is told about a run: which, how it ended, where it lies."""
    return {
        "run_id": record.run_id,
        "fingerprint": record.fingerprint,
        "outcome": str(record.decision.outcome),
        "exit_code": record.decision.exit_code,
        "folder": str(folder),
        "digest": record.digest,
        "decision": asdict(record.decision),
        "cases": {"planned": record.cases_planned, "executed": record.cases_executed},
        "findings": record.findings_total,
        "not_run": [list(pair) for pair in record.not_run],
    }
