"""A realistic small archive, sealed, in a fresh folder."""

from pathlib import Path

import pytest

from rageval_kit.archive.folder import RunFolder
from rageval_kit.archive.manifest import seal

RUN_ID = "20261130T081500Z-3f9a2c51"


def record(number: int) -> dict[str, object]:
    return {
        "case_id": f"acl-{number:05d}",
        "family": "ACL-01",
        "outcome": "held",
        "reader_id": f"用户{number % 7}",
        "document_id": f"d{number % 31}",
        "scores": [0.5, 1.0, 12.25],
        "elapsed_s": None,
    }


@pytest.fixture
def unsealed(tmp_path: Path) -> RunFolder:
    folder = RunFolder.create(tmp_path / "archive", RUN_ID)
    folder.write_json("decision.json", {"outcome": "pass", "exit_code": 0, "reasons": []})
    folder.write_text("report.md", "# 审计报告\n\nNothing leaked.\n")
    folder.write_text(
        "report.html", "<!doctype html>\n<title>Audit</title>\n" + "<p>row</p>\n" * 40
    )
    folder.write_text("config.yaml", "suite: acl_negative\nseed: 42\n")
    folder.write_bytes("scores.parquet", bytes(range(256)) * 4)
    folder.write_text("evidence/README.md", "empty\n")
    folder.write_chain("cases.jsonl", (record(number) for number in range(12)))
    folder.write_chain("verdicts.jsonl", (record(number) for number in range(5)))
    return folder


@pytest.fixture
def sealed(unsealed: RunFolder) -> tuple[Path, str]:
    """(folder, root digest)"""
    return unsealed.path, seal(unsealed, run_id=RUN_ID, fingerprint="f" * 64, previous=None)
