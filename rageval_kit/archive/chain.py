"""Which record of a file was changed, removed, added or moved?

A chained file is JSON lines. Each record carries `seq` (from 0), `prev` (the hash of the record
before; 64 zeros for the first) and, last on the line, `hash`: the sha-256 of the record's canonical
JSON without `hash`. Whoever has sha-256 and RFC 8785 can check it without this kit.
"""

import contextlib
import hashlib
import itertools
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import msgspec

from rageval_kit.archive.canonical import canonical, plain
from rageval_kit.archive.files import PART_PREFIX, as_kit_error, open_regular, sync_folder
from rageval_kit.archive.masking import Mask
from rageval_kit.records.faults import InputError, KitError

GENESIS = "0" * 64
MAX_LINE_BYTES = 16 * 1024 * 1024
_RESERVED = ("seq", "prev", "hash")
_TAIL = re.compile(rb',"hash":"([0-9a-f]{64})"}\n')
_TAIL_LENGTH = len(',"hash":""}\n') + 64
_BUFFER = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """How many records a chain has, and the hash of the last one."""

    records: int
    head: str = GENESIS


class ChainWriter:
    """Writes a chained file beside its final name and puts it there, whole, on a clean `close`."""

    def __init__(self, path: Path, mask: Mask | None = None) -> None:
        self._path = path
        self._part = path.with_name(f"{PART_PREFIX}{secrets.token_hex(8)}")
        self._mask = mask or Mask()
        self._seq = 0
        self._prev = GENESIS
        with as_kit_error(path, "cannot be written"):
            self._file = self._part.open("xb", buffering=_BUFFER)

    @property
    def end(self) -> ChainEnd:
        return ChainEnd(self._seq, self._prev)

    def append(self, record: Mapping[str, Any]) -> None:
        for name in _RESERVED:
            if name in record:
                raise KitError(f"{self._path}: a record has its own {name!r}, which the chain sets")
        body = canonical({**record, "prev": self._prev, "seq": self._seq})
        if self._mask and self._mask.hits(body):
            masked = self._mask.structure(plain(record))
            body = canonical({**masked, "prev": self._prev, "seq": self._seq})
        self._prev = hashlib.sha256(body).hexdigest()
        self._seq += 1
        try:
            self._file.write(b'%b,"hash":"%b"}\n' % (body[:-1], self._prev.encode()))
        except OSError:
            with as_kit_error(self._path, "cannot be written"):
                raise

    def close(self) -> ChainEnd:
        with as_kit_error(self._path, "cannot be written"):
            try:
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
                self._part.replace(self._path)
            except OSError:
                self.discard()
                raise
            sync_folder(self._path.parent)
        return self.end

    def discard(self) -> None:
        """Leave nothing behind."""
        with contextlib.suppress(OSError):  # what is buffered may not fit on the disk
            self._file.close()
        self._part.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()


def write_chain(
    path: Path, records: Iterable[Mapping[str, Any]], mask: Mask | None = None
) -> ChainEnd:
    """All records as one chained file; nothing is left if one of them cannot be written."""
    with ChainWriter(path, mask) as writer:
        for record in records:
            writer.append(record)
    return writer.end


def read_chain(path: Path) -> Iterator[dict[str, Any]]:
    """The records in order, without the chain's own fields; InputError at the first broken one."""
    for _, record, problem in _links(path):
        if problem or record is None:
            raise InputError.one(str(path), problem or "no record", "", "verify the archive")
        for name in _RESERVED:
            del record[name]
        yield record


def check_chain(path: Path, limit: int = 20) -> tuple[ChainEnd, tuple[str, ...]]:
    """The end of a chain, and a line for each record that breaks it (at most `limit`)."""
    problems: list[str] = []
    count, head = 0, GENESIS
    for link_hash, _, problem in _links(path):
        count, head = count + 1, link_hash
        if problem and len(problems) < limit:
            problems.append(problem)
    return ChainEnd(count, head), tuple(problems)


def is_chained(path: Path) -> bool:
    """Does the first line of the file have the fields of a chain, whatever they say?"""
    with open_regular(path) as file:
        line = file.readline(MAX_LINE_BYTES)
    return (
        _TAIL.fullmatch(line[-_TAIL_LENGTH:]) is not None
        and b'"prev":"' in line
        and b'"seq":' in line
    )


def _links(path: Path) -> Iterator[tuple[str, dict[str, Any] | None, str]]:
    """(hash, record, what is wrong with it) for each line."""
    prev = GENESIS
    with open_regular(path) as file:
        for seq in itertools.count():
            line = file.readline(MAX_LINE_BYTES)
            if not line:
                return
            record, problem = _link(line, seq, prev)
            if record is not None:
                # Go on from what the line claims: one broken record is then one line, not all.
                prev = str(record.get("hash", ""))
            yield prev, record, problem and f"record {seq}: {problem}"


def _link(line: bytes, seq: int, prev: str) -> tuple[dict[str, Any] | None, str]:
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None, "is not one line of JSON (cut off, or changed)"
    if not isinstance(record, dict):
        return None, "is not a record"
    problem = _broken(line, record, seq, prev)
    if problem and isinstance(record.get("case_id"), str):
        problem += f" ({ascii(record['case_id'])[:100]})"
    return record, problem


def _broken(line: bytes, record: Mapping[str, Any], seq: int, prev: str) -> str:
    tail = _TAIL.fullmatch(line[-_TAIL_LENGTH:])
    if tail is None:
        return "does not end in its hash"
    body = line[:-_TAIL_LENGTH] + b"}"
    if hashlib.sha256(body).hexdigest().encode() != tail[1]:
        return "was changed: its hash does not match"
    if record.get("seq") != seq:
        return f"stands out of order or after a gap: its seq is {ascii(record.get('seq'))[:20]}"
    if record.get("prev") != prev:
        return "does not follow the record before it"
    return ""
