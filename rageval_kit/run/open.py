"""Where does this run keep what it has, and what is there of it already?"""

import getpass
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from rageval_kit.archive.folder import RunFolder, find_resumable
from rageval_kit.archive.journal import Journal
from rageval_kit.archive.keys import key_path, load_key
from rageval_kit.archive.names import new_run_id
from rageval_kit.execute.block import BlockResult
from rageval_kit.records.faults import InputError
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import CaseRow


@dataclass
class OpenRun:
    """An unsealed run folder with its journal, the key of its hashes, and its counters."""

    folder: RunFolder
    journal: Journal
    key: bytes
    run_id: str
    started_at: datetime
    user: str
    resumed: int = 0
    done: Mapping[int, list[Any]] = field(default_factory=dict)
    target_s: float = 0.0
    calls: int = 0
    calls_failed: int = 0
    began: float = field(default_factory=time.perf_counter)

    def known(self, block: int, case_ids: Sequence[str]) -> list[CaseRow] | None:
        """The rows of a block that the journal holds whole; None where it is still to be run."""
        if block not in self.done:
            return None
        head, *lines = self.done[block]
        rows = msgspec.convert(lines, list[CaseRow])
        if [row.case_id for row in rows] != list(case_ids):
            raise InputError.one(
                str(self.folder.path),
                f"the journal's block {block} holds other cases than this run has",
                rows[0].case_id if rows else "nothing",
                "start afresh with engine.resume=never",
            )
        self._count(head["target_s"], head["calls"], head["calls_failed"])
        return rows

    def keep(self, block: int, rows: Sequence[CaseRow], result: BlockResult) -> None:
        head = {
            "target_s": result.target_s,
            "calls": result.calls,
            "calls_failed": result.calls_failed,
        }
        self.journal.append(block, [head, *rows])
        self._count(**head)

    def _count(self, target_s: float, calls: float, calls_failed: float) -> None:
        self.target_s += target_s
        self.calls += int(calls)
        self.calls_failed += int(calls_failed)


@contextmanager
def open_run(prepared: Prepared) -> Iterator[OpenRun]:
    """A new run folder, or that of an interrupted run of the same plan; closed at the end."""
    plan = prepared.plan
    root, resume = plan.archive_root, plan.spec.engine.resume
    key = load_key(key_path(os.environ, Path.home()), outside=root)
    mask = plan.request.mask(key)
    now = datetime.now(UTC)  # the one place where the wall clock is read
    there = _resumable(root, resume, prepared.fingerprint)
    if there is not None:
        folder = RunFolder.open_unsealed(there, mask)
        journal, recovered = folder.resume_journal()
        run = OpenRun(folder, journal, key, recovered.run_id, now, _user(), 1, recovered.blocks)
    else:
        run_id = plan.spec.archive.run_id or new_run_id(now, os.urandom(4))
        folder = RunFolder.create(root, run_id, mask)
        journal = folder.start_journal(run_id=run_id, fingerprint=prepared.fingerprint)
        run = OpenRun(folder, journal, key, run_id, now, _user())
    try:
        yield run
    finally:
        journal.close()


def _resumable(root: Path, resume: str, fingerprint: str) -> Path | None:
    if resume == "never":
        return None
    found = find_resumable(root, fingerprint)
    if resume == "auto":
        return found[0] if found else None
    for path in found:
        if path.name == resume:
            return path
    raise InputError.one(
        "engine.resume",
        "is not an interrupted run of this very plan",
        resume,
        f"there are: {', '.join(p.name for p in found) or 'none'}",
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
