"""How does a file reach the disk whole or not at all, and how does a failure become one line?"""

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from rageval_kit.records.faults import KitError

PART_PREFIX = ".part-"

# Windows would otherwise turn every line end into two bytes.
BINARY = getattr(os, "O_BINARY", 0)

_CAUSES = {
    errno.ENOSPC: "the disk is full; free some space and run again",
    errno.EDQUOT: "the disk quota is used up; free some space and run again",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.EACCES: "permission denied; choose a folder that you may write",
    errno.EPERM: "permission denied; choose a folder that you may write",
    errno.ENOTDIR: "a file stands where a folder should be; choose another folder",
    errno.EEXIST: "a file stands where a folder should be; choose another folder",
    errno.EMFILE: "too many open files; raise the limit (ulimit -n)",
}


@contextlib.contextmanager
def as_kit_error(path: Path, what: str) -> Iterator[None]:
    """Turn a failure of the operating system into a KitError of one line."""
    try:
        yield
    except OSError as error:
        cause = _CAUSES.get(error.errno or 0, error.strerror or str(error))
        raise KitError(f"{path}: {what}: {cause}") from error


def write_all(descriptor: int, data: bytes) -> None:
    """`os.write` until everything is written; a full disk may take only a part at a time."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def write_atomic(path: Path, data: bytes) -> None:
    """Put `data` at `path`, replacing what was there; a crash leaves the old file or the new."""
    part = _write_part(path, data, 0o666)
    try:
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_new(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Put `data` at `path` whole; FileExistsError if something is there already."""
    part = _write_part(path, data, mode)
    try:
        # A link, unlike a rename, fails where the name is taken.
        os.link(part, path)
    except OSError as error:
        if error.errno not in {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}:
            raise
        _create_without_links(path, data, mode)
    finally:
        part.unlink(missing_ok=True)
    sync_folder(path.parent)


def _create_without_links(path: Path, data: bytes, mode: int) -> None:
    # exFAT and some shares know no links; exclusive creation is the next best.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_part(path: Path, data: bytes, mode: int) -> Path:
    part = path.with_name(f"{PART_PREFIX}{secrets.token_hex(8)}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, mode)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    finally:
        os.close(descriptor)
    return part


def sync_folder(folder: Path) -> None:
    """Make a new name in `folder` last through a power cut, where the system can."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)


def open_regular(path: Path) -> BufferedReader:
    """Open a plain file for reading; OSError for a link, a pipe or a device, never a wait."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, flags | BINARY)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    return os.fdopen(descriptor, "rb")
