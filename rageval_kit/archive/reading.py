"""How is an archive from a stranger read without being led out of its folder or into the ground?"""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rageval_kit.archive.files import as_kit_error, open_regular
from rageval_kit.archive.names import check_name
from rageval_kit.records.faults import InputError


@dataclass(frozen=True, slots=True)
class Limits:
    """More than this is refused unread. `file_bytes` bounds what is read into memory at once."""

    files: int = 100_000
    depth: int = 8
    manifest_bytes: int = 64 * 1024**2
    file_bytes: int = 1024**3
    total_bytes: int = 256 * 1024**3


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Found:
    """A file of an archive as the folder shows it; `odd` says why it is not a plain file."""

    name: str
    path: Path
    size: int
    odd: str = ""


def walk(folder: Path, limits: Limits = LIMITS) -> list[Found]:
    """Every file under `folder` in the order of names; links are named, never followed.

    Empty folders are not evidence and are passed over. OSError where a folder cannot be read.
    """
    found: list[Found] = []
    total = 0
    for item in _walk(folder, folder, "", limits):
        found.append(item)
        total += item.size
        if len(found) > limits.files:
            raise InputError.one(str(folder), "has too many files", f"over {limits.files}")
        if total > limits.total_bytes:
            raise InputError.one(str(folder), "is too large", f"over {limits.total_bytes} bytes")
    return sorted(found, key=lambda item: item.name)


def _walk(root: Path, folder: Path, prefix: str, limits: Limits) -> Iterator[Found]:
    if prefix.count("/") >= limits.depth:
        raise InputError.one(str(root), "is nested too deeply", f"over {limits.depth} folders")
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + entry.name
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISDIR(status.st_mode):
                yield from _walk(root, Path(entry.path), f"{name}/", limits)
            elif stat.S_ISREG(status.st_mode):
                yield Found(name, Path(entry.path), status.st_size)
            else:
                kind = "a symbolic link" if stat.S_ISLNK(status.st_mode) else "not a plain file"
                yield Found(name, Path(entry.path), 0, kind)


def read_file(folder: Path, name: str, limits: Limits = LIMITS) -> bytes:
    """The bytes of one file of an archive; links, unsafe names and absurd sizes are refused."""
    path = folder / check_name(name)
    for parent in list(path.parents)[: len(Path(name).parts) - 1]:
        if parent.is_symlink():
            raise InputError.one(str(parent), "is a symbolic link", "", "archives hold none")
    if path.is_symlink():
        raise InputError.one(str(path), "is a symbolic link", "", "archives hold none")
    if not path.is_file():
        raise InputError.one(str(path), "is not in the archive", "", "verify the archive")
    with as_kit_error(path, "cannot be read"), open_regular(path) as file:
        data = file.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        raise InputError.one(str(path), "is too large", f"over {limits.file_bytes} bytes")
    return data
