"""Where does this run keep what it has, and what is there of it already?"""

import getpass
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from rageval_kit.archive.folder import RunFolder, find_resumable
from rageval_kit.archive.journal import InUseError, Journal
from rageval_kit.archive.keys import load_key, own_key_path
from rageval_kit.archive.names import new_run_id
from rageval_kit.archive.sealing import Sealer, sealer
from rageval_kit.archive.signing import Sign, private_key, signer
from rageval_kit.execute.block import BlockResult
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Target
from rageval_kit.records.world import World
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.rows import AnswerRow, CaseRow

Row = TypeVar("Row", CaseRow, AnswerRow)


@dataclass
class OpenRun:
    """An unsealed run folder with its journal, the key of its hashes, and its counters."""

    folder: RunFolder
    journal: Journal
    key: bytes
    run_id: str
    started_at: datetime
    user: str
    done: Mapping[int, list[Any]] = field(default_factory=dict)
    sessions: tuple[Mapping[str, Any], ...] = ()
    resumed: int = 0  # cases taken over from an interrupted run
    target_s: float = 0.0
    calls: int = 0
    calls_failed: int = 0
    connected: World | None = None
    sealer: Sealer | None = None  # for whom full texts are kept
    sign: Sign | None = None
    began: float = field(default_factory=time.perf_counter)  # earlier sessions are counted in
    lap: float = field(default_factory=time.perf_counter)

    def known(self, block: int, row_ids: Sequence[str], kind: type[Row]) -> list[Row] | None:
        """The rows of a block that the journal holds whole; None where it is still to be run."""
        if block not in self.done:
            return None
        head, *lines = self.done[block]
        rows: list[Row] = msgspec.convert(lines, list[kind])  # type: ignore[valid-type]
        if [row.row_id for row in rows] != list(row_ids):
            raise InputError.one(
                str(self.folder.path),
                f"the journal's block {block} holds other cases than this run has",
                rows[0].row_id if rows else "nothing",
                "start afresh with engine.resume=never",
            )
        self._count(head["target_s"], head["calls"], head["calls_failed"])
        self.resumed += len(rows) if kind is CaseRow else 0
        self.began -= head["wall_s"]
        self.lap = time.perf_counter()
        return rows

    def keep(self, block: int, rows: Sequence[Row], result: BlockResult) -> None:
        now = time.perf_counter()
        head = {
            "target_s": result.target_s,
            "calls": result.calls,
            "calls_failed": result.calls_failed,
            "wall_s": now - self.lap,
        }
        self.journal.append(block, [head, *rows])
        self.lap = now
        self._count(result.target_s, result.calls, result.calls_failed)

    def connect(self, target: Target, world: World) -> None:
        """Have the target index the world, unless it just did so; the time is the target's."""
        if self.connected is not world:
            started = time.perf_counter()
            target.connect(world)
            self.target_s += time.perf_counter() - started
            self.connected = world

    def _count(self, target_s: float, calls: float, calls_failed: float) -> None:
        self.target_s += target_s
        self.calls += int(calls)
        self.calls_failed += int(calls_failed)


def wall_clock() -> datetime:
    """When a run begins, ends, or proves something; no verdict hangs on it."""
    return datetime.now(UTC)


@contextmanager
def open_run(prepared: Prepared) -> Iterator[OpenRun]:
    """A new run folder, or that of an interrupted run of the same plan; closed at the end."""
    spec = prepared.plan.spec.archive
    key = load_key(own_key_path(), outside=prepared.plan.archive_root)
    sealed_for = sealer(spec.recipients)
    sign = signer(private_key(Path(spec.sign_key).expanduser())) if spec.sign_key else None
    now = wall_clock()
    run = _resumed(prepared, key, now) or _new(prepared, key, now)
    run.sealer, run.sign = sealed_for, sign
    try:
        yield run
    finally:
        run.journal.close()


def _new(prepared: Prepared, key: bytes, now: datetime) -> OpenRun:
    plan = prepared.plan
    run_id = plan.spec.archive.run_id or new_run_id(now, os.urandom(4))
    folder = RunFolder.create(plan.archive_root, run_id, plan.request.mask(key))
    journal = folder.start_journal(run_id=run_id, fingerprint=prepared.fingerprint)
    return _opened(OpenRun(folder, journal, key, run_id, now, _user()), now)


def _resumed(prepared: Prepared, key: bytes, now: datetime) -> OpenRun | None:
    """The newest interrupted run of this plan; one that another process took is passed by."""
    named = prepared.plan.spec.engine.resume
    for path in _resumable(prepared):
        folder = RunFolder(path, prepared.plan.request.mask(key))
        try:
            journal, recovered = folder.resume_journal()
        except InUseError:
            if path.name == named:
                raise
            continue
        run = OpenRun(folder, journal, key, recovered.run_id, now, _user(), recovered.blocks)
        folder.clear()
        return _opened(run, now, len(recovered.torn))
    return None


def _opened(run: OpenRun, now: datetime, torn_bytes: int = 0) -> OpenRun:
    """Sessions stand in the journal below zero: when each began, and what was torn off before."""
    earlier = sorted((number for number in run.done if number < 0), reverse=True)
    session = {"opened_at": now.isoformat(timespec="seconds"), "torn_bytes": torn_bytes}
    run.sessions = (*(run.done[number][0] for number in earlier), session)
    run.started_at = datetime.fromisoformat(run.sessions[0]["opened_at"])
    run.journal.append(-len(run.sessions), [session])
    run.lap = time.perf_counter()
    return run


def _resumable(prepared: Prepared) -> list[Path]:
    plan = prepared.plan
    resume, run_id = plan.spec.engine.resume, plan.spec.archive.run_id
    if resume == "never":
        return []
    found = find_resumable(plan.archive_root, prepared.fingerprint)
    if resume == "auto":
        # Who names the run wants it under that name, not another one finished.
        return [path for path in found if run_id in (None, path.name)]
    named = [path for path in found if path.name == resume]
    if not named:
        raise InputError.one(
            "engine.resume",
            "is not an interrupted run of this very plan",
            resume,
            f"there are: {', '.join(p.name for p in found) or 'none'}",
        )
    return named


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"
