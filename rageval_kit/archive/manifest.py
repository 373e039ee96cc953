"""What does the last file of an archive say about all the others?"""

import contextlib
import hashlib
import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from rageval_kit.archive.canonical import canonical
from rageval_kit.archive.chain import check_chain, is_chained
from rageval_kit.archive.files import (
    PART_PREFIX,
    as_kit_error,
    open_regular,
    write_atomic,
    write_new,
)
from rageval_kit.archive.folder import ATTRIBUTES, MANIFEST, SIGNATURE, RunFolder
from rageval_kit.archive.journal import JOURNAL
from rageval_kit.archive.names import check_name
from rageval_kit.archive.reading import Found, walk
from rageval_kit.records.faults import Fault, InputError, KitError

FORMAT = "rageval-kit archive"
VERSION = 1
_ATTRIBUTES_TEXT = (
    b"# Evidence is bytes: no line ends converted, no text diffed or merged.\n* binary\n"
)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file as sealed. For a chained file `records` and `head` are those of its chain."""

    path: str
    size: int
    sha256: str
    records: int | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """`digest` is the sha-256 of the canonical JSON of everything else here."""

    format: str
    version: int
    run_id: str
    fingerprint: str
    previous: str | None
    files: tuple[FileEntry, ...]
    digest: str = ""


def seal(
    run_folder: RunFolder,
    *,
    run_id: str,
    fingerprint: str,
    previous: str | None,
    sign: Callable[[Path, bytes], bytes] | None = None,
) -> str:
    """Write the manifest, after which nothing is written again; returns the root digest.

    The root digest is the sha-256 of `manifest.json` itself (`sha256sum` shows it). `previous` is
    the root digest of the release before. The journal has done its work and is removed; torn bytes
    of an interrupted run stay, as evidence that it was. `sign` makes of folder and manifest the
    signed envelope, which is there before the manifest: no archive is sealed without the signature
    that it was to have.
    """
    folder = run_folder.path
    run_folder.refuse_if_sealed()
    if previous is not None and not _HEX.fullmatch(previous):
        raise InputError.one(
            "previous release", "is not a root digest", repr(previous), "give 64 hexadecimal digits"
        )
    with as_kit_error(folder, "cannot be sealed"):
        for item in walk(folder):
            if Path(item.name).name.startswith(PART_PREFIX):
                item.path.unlink()  # a file that was never finished
        (folder / SIGNATURE).unlink(missing_ok=True)
        write_atomic(folder / ATTRIBUTES, _ATTRIBUTES_TEXT)
        files = [item for item in walk(folder) if item.name != JOURNAL]
        _refuse_odd(folder, files)
        entries = tuple(_entry(run_folder, item) for item in files)
        manifest = Manifest(FORMAT, VERSION, run_id, fingerprint, previous, entries)
        data = render(manifest)
        if sign is not None:
            write_atomic(folder / SIGNATURE, sign(folder, data))
        with _too_late_to_interrupt():
            try:
                write_new(folder / MANIFEST, data)
            except FileExistsError:
                run_folder.refuse_if_sealed()
                raise
            (folder / JOURNAL).unlink(missing_ok=True)
    return hashlib.sha256(data).hexdigest()


@contextlib.contextmanager
def _too_late_to_interrupt() -> Iterator[None]:
    """From the manifest on the run is finished; stopping now would leave a journal beside it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    # Only what Python handles can strike between two lines of ours.
    ours = {one: handler for one, handler in before.items() if callable(handler)}
    for one in ours:
        signal.signal(one, lambda *_: None)
    try:
        yield
    finally:
        for one, handler in ours.items():
            signal.signal(one, handler)


def root_digest(folder: Path) -> str:
    """The root digest of a sealed archive, for the next release's `previous`."""
    with as_kit_error(folder / MANIFEST, "cannot be read"), open_regular(folder / MANIFEST) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def render(manifest: Manifest) -> bytes:
    """The only bytes that a manifest of this content may have: a changed blank is a change."""
    body = _body(manifest)
    body["digest"] = hashlib.sha256(canonical(body)).hexdigest()
    packed = msgspec.json.encode(body, order="sorted")
    return msgspec.json.format(packed, indent=1) + b"\n"


def parse(data: bytes) -> Manifest | None:
    """The manifest that `data` holds, or None."""
    try:
        return msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def hash_file(path: Path) -> tuple[int, str]:
    """(size, sha-256) of a plain file, read once in pieces."""
    with open_regular(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def _body(manifest: Manifest) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(manifest)
    del body["digest"]
    for entry in body["files"]:
        if entry["records"] is None:
            del entry["records"], entry["head"]
    return body


def _entry(run_folder: RunFolder, item: Found) -> FileEntry:
    if run_folder.mask.betrays([item.name.encode()]) or _holds_secret(run_folder, item.path):
        raise KitError(
            f"{item.path}: a secret from the environment or the command line stands in it; "
            "nothing was sealed; write it through the run folder, which masks"
        )
    size, digest = hash_file(item.path)
    if not item.name.endswith(".jsonl") or not is_chained(item.path):
        return FileEntry(item.name, size, digest)
    end, problems = check_chain(item.path)
    if problems:
        raise KitError(f"{item.path}: {problems[0]}; nothing was sealed")
    return FileEntry(item.name, size, digest, end.records, end.head)


def _holds_secret(run_folder: RunFolder, path: Path) -> bool:
    if not run_folder.mask:
        return False
    with open_regular(path) as file:
        return run_folder.mask.betrays(iter(lambda: file.read(_CHUNK), b""))


def _refuse_odd(folder: Path, files: Sequence[Found]) -> None:
    faults = [
        Fault(item.name, f"is {item.odd}", "", "archives hold plain files only")
        for item in files
        if item.odd
    ]
    for item in files:
        if item.name != ATTRIBUTES:
            try:
                check_name(item.name)
            except InputError as error:
                faults += error.faults
    seen: dict[str, str] = {}
    for item in files:
        other = seen.setdefault(item.name.casefold(), item.name)
        if other != item.name:
            faults.append(
                Fault(item.name, "differs from another name by case only", other, "rename one")
            )
    if faults:
        raise InputError([Fault(str(folder), "cannot be sealed"), *faults])
