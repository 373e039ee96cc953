"""How is a file or folder written so that nobody ever meets half of it?"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rageval_kit.records.faults import InputError, KitError


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a temporary folder that becomes `target` at the end, or vanishes on any error.

    A target that exists is refused: what was written once is never written again.
    """
    if target.exists() or target.is_symlink():
        raise InputError.one(str(target), "exists already", "", "choose another name or remove it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f".{target.name[:40]}.", dir=target.parent))
    except OSError as error:
        raise _unwritable(target, error) from error
    try:
        yield partial
        partial.chmod(0o755)
        # rename() would replace an empty folder made meanwhile, never a filled one
        partial.rename(target)
    except OSError as error:
        shutil.rmtree(partial, ignore_errors=True)
        raise _unwritable(target, error) from error
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def write_file(path: Path, content: bytes) -> None:
    """Write one file whole or not at all, replacing what was there; its mode is kept."""
    name = ""
    try:
        path = path.resolve()  # the file that a link names, not the link
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise _unwritable(path, error) from error
    except BaseException:  # interrupted
        if name:
            Path(name).unlink(missing_ok=True)
        raise


def _unwritable(path: Path, error: OSError) -> KitError:
    return KitError(f"{path}: could not be written ({error.strerror or error}); nothing was kept")
