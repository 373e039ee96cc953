"""Where does a run put what it writes, and who sees to it that it is put there once?"""

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rageval_kit.archive.canonical import plain, refuse_nan
from rageval_kit.archive.chain import ChainEnd, write_chain
from rageval_kit.archive.encoding import encode_plain
from rageval_kit.archive.files import as_kit_error, sync_folder, write_atomic
from rageval_kit.archive.journal import (
    JOURNAL,
    TORN,
    InUseError,
    Journal,
    Recovered,
    is_running,
    read_head,
)
from rageval_kit.archive.masking import Mask
from rageval_kit.archive.names import MAX_PATH_BYTES, check_name
from rageval_kit.records.faults import Fault, InputError, KitError

MANIFEST = "manifest.json"
SIGNATURE = "manifest.dsse.json"  # over the manifest, which therefore cannot list it
ATTRIBUTES = ".gitattributes"
EVIDENCE = "evidence"
SEALED = ".jsonl.age"  # encrypted: see archive.sealing
_RESERVED = frozenset([MANIFEST, SIGNATURE, JOURNAL, TORN])


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder, open for writing. Every write is masked, whole or absent, and inside it."""

    path: Path
    mask: Mask = field(default_factory=Mask)

    @classmethod
    def create(cls, root: Path, run_id: str, mask: Mask | None = None) -> "RunFolder":
        """A new folder `root/run_id`; one that holds anything, sealed or not, is refused (exit 2).

        One whose run was killed before the first line of its journal holds nothing and is taken.
        """
        check_name(run_id, "run id", max_parts=1)
        path = root / run_id
        with as_kit_error(path, "the run folder cannot be made"):
            root.mkdir(parents=True, exist_ok=True)
            try:
                path.mkdir()
            except FileExistsError as error:
                if is_running(path / JOURNAL):
                    raise InUseError(
                        [Fault(str(path), "another process is writing this run", "", "wait for it")]
                    ) from error
                if not _is_stillborn(path):
                    raise _immutable(path) from error
            sync_folder(root)
        return cls(path, mask or Mask())

    @classmethod
    def open_unsealed(cls, path: Path, mask: Mask | None = None) -> "RunFolder":
        """The folder of an interrupted run, to be gone on with."""
        if path.is_symlink() or not path.is_dir():
            raise InputError.one(str(path), "is not a run folder", "", "name a folder of a run")
        folder = cls(path, mask or Mask())
        folder.refuse_if_sealed()
        return folder

    @property
    def is_sealed(self) -> bool:
        return (self.path / MANIFEST).exists() or (self.path / MANIFEST).is_symlink()

    def refuse_if_sealed(self) -> None:
        if self.is_sealed:
            raise _immutable(self.path)

    def clear(self) -> None:
        """Leave only what a resumed run needs: a report without its manifest is none.

        The journal, and what was sealed of its blocks: their texts are nowhere else.
        """
        if self.is_sealed:
            return
        with as_kit_error(self.path, "what was begun cannot be removed"):
            for item in self.path.iterdir():
                if item.name in (JOURNAL, TORN):
                    continue
                if item.name == EVIDENCE and any(item.glob(f"*{SEALED}")):
                    for one in item.iterdir():
                        if not one.name.endswith(SEALED):
                            one.unlink()
                elif item.is_dir() and not item.is_symlink():
                    shutil.rmtree(item)
                else:
                    item.unlink()

    def write_text(self, name: str, text: str) -> Path:
        """UTF-8; a lone surrogate, which UTF-8 does not have, is refused."""
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise KitError(f"{self.path / name}: text is not valid Unicode: {error}") from error
        return self.write_bytes(name, data)

    def write_bytes(self, name: str, data: bytes) -> Path:
        """Text is masked. Binary data that holds a secret is refused: masking would break it."""
        if self.mask and self.mask.hits(data):
            if not _is_text(data):
                raise KitError(
                    f"{self.path / name}: a secret from the environment or the command line stands "
                    "in binary data, where it cannot be masked; leave it out"
                )
            data = self.mask.data(data)
        return self._put(name, data)

    def write_sealed(self, name: str, data: bytes) -> Path:
        """Encrypted bytes: what was to be masked was masked before, and a match would be chance."""
        return self._put(name, data)

    def write_json(self, name: str, value: object) -> Path:
        """A record or plain data as indented JSON; NaN is refused."""
        built = plain(value)
        refuse_nan(built)
        data = encode_plain(built)
        if self.mask.hits(data):
            # Masked as values, not as bytes, so that what comes out is JSON whatever the secret is.
            data = encode_plain(self.mask.structure(built))
        return self._put(name, data)

    def write_chain(self, name: str, records: Iterable[Mapping[str, Any]]) -> ChainEnd:
        """Records as hash-chained JSON lines."""
        return write_chain(self._prepare(name, ".jsonl"), records, self.mask)

    def start_journal(self, *, run_id: str, fingerprint: str) -> Journal:
        self.refuse_if_sealed()
        return Journal.start(
            self.path / JOURNAL, run_id=run_id, fingerprint=fingerprint, mask=self.mask
        )

    def resume_journal(self) -> tuple[Journal, Recovered]:
        self.refuse_if_sealed()
        return Journal.resume(self.path / JOURNAL, self.mask)

    def _put(self, name: str, data: bytes) -> Path:
        target = self._prepare(name)
        with as_kit_error(target, "cannot be written"):
            write_atomic(target, data)
        return target

    def _prepare(self, name: str, suffix: str = "") -> Path:
        self.refuse_if_sealed()
        relative = check_name(name)
        if relative.as_posix().lower() in _RESERVED:
            raise InputError.one("archive file name", "belongs to the archive itself", name)
        if not name.endswith(suffix):
            raise InputError.one("archive file name", f"must end in {suffix}", name)
        if len(f"{self.path.name}/{name}".encode()) > MAX_PATH_BYTES:
            raise InputError.one(
                "archive file name", f"is longer than {MAX_PATH_BYTES} bytes with its run id", name
            )
        target = self.path / relative
        with as_kit_error(target, "cannot be written"):
            for parent in reversed(relative.parents):
                if (self.path / parent).is_symlink():
                    raise InputError.one(
                        str(parent), "is a symbolic link", "", "archives hold none"
                    )
            target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink():
            raise InputError.one(name, "is a symbolic link", "", "archives hold none")
        return target


def find_resumable(root: Path, fingerprint: str | None = None) -> list[Path]:
    """Folders of interrupted runs (of this experiment, if given), newest first."""
    if not root.is_dir():
        return []
    found: list[Path] = []
    with as_kit_error(root, "cannot be read"):
        folders = sorted(root.iterdir(), key=lambda path: path.name, reverse=True)
    for path in folders:
        if path.is_symlink() or not path.is_dir() or RunFolder(path).is_sealed:
            continue
        head = read_head(path / JOURNAL)
        if head is None or (fingerprint is not None and head[1] != fingerprint):
            continue
        if not is_running(path / JOURNAL):
            found.append(path)
    return found


def _is_stillborn(path: Path) -> bool:
    """Nothing but a journal without its first line."""
    if path.is_symlink() or not path.is_dir():
        return False
    names = {item.name for item in path.iterdir()}
    return names == {JOURNAL} and read_head(path / JOURNAL) is None


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode("utf-8")
    except UnicodeDecodeError:
        return False


def _immutable(path: Path) -> InputError:
    sealed = (path / MANIFEST).exists()
    return InputError.one(
        str(path),
        "archive exists and is immutable",
        "sealed" if sealed else "not sealed",
        "write to another folder" if sealed else "resume that run, or write to another folder",
    )
