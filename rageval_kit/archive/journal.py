"""What has a run done so far, if it is killed at any byte?

One line of JSON opens the file; then come blocks: a line with the block's number, count, size and
digest, and the lines it promises. A block whose promise is not kept was never written.
"""

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any, Self

import msgspec

from rageval_kit.archive.canonical import plain, refuse_nan
from rageval_kit.archive.files import BINARY, as_kit_error, open_regular, sync_folder, write_all
from rageval_kit.archive.masking import Mask
from rageval_kit.records.faults import Fault, InputError, KitError

if sys.platform != "win32":
    import fcntl

JOURNAL = "journal.jsonl"
TORN = "journal.torn"
MAX_JOURNAL_BYTES = 4 * 1024**3
_VERSION = 1
_ENCODER = msgspec.json.Encoder(order="sorted")
_MAX_HEAD = 64 * 1024
_LOCK_ATTEMPTS, _LOCK_PAUSE_S = 5, 0.02


@dataclass(frozen=True, slots=True)
class Recovered:
    """The whole blocks of a journal, the bytes that were torn off, and whose run it is."""

    run_id: str
    fingerprint: str
    blocks: Mapping[int, list[Any]]
    torn: bytes = b""


class InUseError(InputError):
    """The run belongs to another process, which is writing it or has just finished it."""


class Journal:
    """Open for appending by one process; `append` returns once the block is on the disk."""

    def __init__(self, path: Path, mask: Mask | None = None, *, create: int = os.O_CREAT) -> None:
        self._path = path
        self._mask = mask or Mask()
        self._done: set[int] = set()
        with as_kit_error(path, "the journal cannot be opened"):
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | create | BINARY, 0o666)
        try:
            _lock(self._descriptor, path)
            self._size = _size(self._descriptor, path)
        except BaseException:
            os.close(self._descriptor)
            raise

    @classmethod
    def start(
        cls, path: Path, *, run_id: str, fingerprint: str, mask: Mask | None = None
    ) -> "Journal":
        """A new journal; the run can be resumed from here on.

        One whose first line is not whole holds nothing: its run was killed as it began.
        """
        journal = cls(path, mask)
        try:
            if read_head(path) is not None:
                raise InputError.one(
                    str(path), "a journal exists already", "", "resume that run, or start another"
                )
            with as_kit_error(path, "the journal cannot be started"):
                os.ftruncate(journal._descriptor, 0)
            journal._size = 0
            head = {"fingerprint": fingerprint, "journal": _VERSION, "run_id": run_id}
            journal._write(_ENCODER.encode(head) + b"\n")
            with as_kit_error(path, "the journal cannot be started"):
                sync_folder(path.parent)
        except KitError:
            journal.close()
            raise
        return journal

    @classmethod
    def resume(cls, path: Path, mask: Mask | None = None) -> tuple["Journal", Recovered]:
        """Recover, then go on appending; no other process can come between."""
        if not path.exists():
            raise _in_use(path)
        journal = cls(path, mask, create=0)
        try:
            recovered = cls.recover(path)
            journal._size = os.fstat(journal._descriptor).st_size
            journal._done.update(recovered.blocks)
        except BaseException:
            journal.close()
            raise
        return journal, recovered

    @classmethod
    def recover(cls, path: Path) -> Recovered:
        """The whole blocks; anything after them is moved to `journal.torn` beside the journal."""
        with as_kit_error(path, "the journal cannot be recovered"):
            recovered, sound = _read(path)
            if recovered.torn:
                _set_aside(path, recovered.torn, sound)
        return recovered

    @property
    def done(self) -> frozenset[int]:
        return frozenset(self._done)

    def append(self, block_id: int, lines: Sequence[object]) -> None:
        """One block, whole or not at all."""
        if block_id in self._done:
            raise KitError(f"{self._path}: block {block_id} is in the journal already")
        encoded = [self._encode(line) for line in lines]
        body = b"".join(encoded)
        head: dict[str, Any] = {"block": block_id, "bytes": len(body), "lines": len(encoded)}
        head["sha256"] = _digest(head, body)
        self._write(_ENCODER.encode(head) + b"\n" + body)
        self._done.add(block_id)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _encode(self, line: object) -> bytes:
        built = plain(line)
        refuse_nan(built)
        try:
            encoded = _ENCODER.encode(built)
            if self._mask.hits(encoded):
                encoded = _ENCODER.encode(self._mask.structure(built))
        except (TypeError, ValueError) as error:
            raise KitError(f"{self._path}: a line cannot be written as JSON: {error}") from error
        return encoded + b"\n"

    def _write(self, data: bytes) -> None:
        if self._descriptor < 0:
            raise KitError(f"{self._path}: the journal is closed")
        with as_kit_error(self._path, "the journal cannot be written"):
            try:
                write_all(self._descriptor, data)
                os.fsync(self._descriptor)
            except BaseException:
                # Also on an interrupt: take half a block back; where that fails, recovery will.
                with contextlib.suppress(OSError):
                    os.ftruncate(self._descriptor, self._size)
                raise
        self._size += len(data)


def read_head(path: Path) -> tuple[str, str] | None:
    """(run id, fingerprint) of a journal, or None where its first line is not whole."""
    try:
        with open_regular(path) as file:
            return _head(file.readline(_MAX_HEAD))
    except OSError:
        return None


def is_running(path: Path) -> bool:
    """Does some process hold the journal open? (Where the system cannot tell: no.)"""
    try:
        descriptor = os.open(path, os.O_RDONLY | BINARY)
    except OSError:
        return False
    try:
        _lock(descriptor, path, shared=True)
    except KitError:
        return True
    finally:
        os.close(descriptor)
    return False


def _lock(descriptor: int, path: Path, *, shared: bool = False) -> None:
    """Hold the journal until it is closed or the process ends, however it ends."""
    if sys.platform == "win32":
        return
    kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
    for attempt in range(_LOCK_ATTEMPTS):
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError as error:
            # Who only looks whether a run goes on (shared) holds it for an instant: try again.
            if shared or attempt == _LOCK_ATTEMPTS - 1:
                raise _in_use(path) from error
            time.sleep(_LOCK_PAUSE_S)
        except OSError:
            return  # a share without locks: exclusive creation of the folder still stands
        else:
            return


def _size(descriptor: int, path: Path) -> int:
    status = os.fstat(descriptor)
    if not status.st_nlink:  # sealed, and the journal removed, while we waited for it
        raise _in_use(path)
    return status.st_size


def _in_use(path: Path) -> InUseError:
    fault = Fault(str(path), "another process is writing this run", "", "wait until it ends")
    return InUseError([fault])


def _head(line: bytes) -> tuple[str, str] | None:
    head = _decode(line) if line.endswith(b"\n") else None
    if not isinstance(head, dict) or head.get("journal") != _VERSION:
        return None
    run_id, fingerprint = head.get("run_id"), head.get("fingerprint")
    if isinstance(run_id, str) and isinstance(fingerprint, str):
        return run_id, fingerprint
    return None


def _decode(line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _read(path: Path) -> tuple[Recovered, int]:
    """What the journal holds, and the offset up to which it is sound."""
    blocks: dict[int, list[Any]] = {}
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_JOURNAL_BYTES:
            raise InputError.one(str(path), "is too large for a journal", f"{size} bytes")
        head = _head(file.readline(_MAX_HEAD))
        if head is None:
            raise InputError.one(
                str(path),
                "is not a journal, or was cut off in its first line",
                "",
                "start a new run",
            )
        sound = file.tell()
        while True:
            block = _read_block(file.readline(_MAX_HEAD), file, size)
            if block is None:
                break
            # Of a block that was written twice the first counts: its calls were made first.
            blocks.setdefault(*block)
            sound = file.tell()
        file.seek(sound)
        torn = file.read()
    return Recovered(*head, blocks, torn), sound


def _read_block(line: bytes, file: BufferedReader, size: int) -> tuple[int, list[Any]] | None:
    head = _decode(line) if line.endswith(b"\n") else None
    if not isinstance(head, dict):
        return None
    block_id, length, count = head.get("block"), head.get("bytes"), head.get("lines")
    if not (isinstance(block_id, int) and isinstance(length, int) and isinstance(count, int)):
        return None
    if not 0 <= length <= size:
        return None
    body = file.read(length)
    promised = head.pop("sha256", None)
    if len(body) != length or _digest(head, body) != promised:
        return None
    lines = body.split(b"\n")[:-1]
    if len(lines) != count or not (body.endswith(b"\n") or not body):
        return None
    return block_id, [_decode(one) for one in lines]


def _digest(head: Mapping[str, Any], body: bytes) -> str:
    """Over the head too: a block whose number was changed would stand for another one."""
    return hashlib.sha256(_ENCODER.encode(head) + b"\n" + body).hexdigest()


def _set_aside(path: Path, torn: bytes, sound: int) -> None:
    # First the copy, then the cut: after a crash between, the bytes are in both places.
    side = os.open(path.with_name(TORN), os.O_WRONLY | os.O_APPEND | os.O_CREAT | BINARY, 0o666)
    try:
        write_all(side, torn)
        os.fsync(side)
    finally:
        os.close(side)
    journal = os.open(path, os.O_WRONLY | BINARY)
    try:
        os.ftruncate(journal, sound)
        os.fsync(journal)
    finally:
        os.close(journal)
    sync_folder(path.parent)
