"""Which secret turns texts into hashes that only its holder can match, and where does it live?

Outside every archive: whoever has only the archive cannot test guesses against it.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

from rageval_kit.archive.files import as_kit_error, write_new
from rageval_kit.records.faults import InputError

KEY_VARIABLE = "RAGEVAL_KEY_FILE"
KEY_BYTES = 32
_MAX_KEY_FILE = 4096


def keyed_hash(key: bytes, text: str) -> str:
    """HMAC-SHA256 of the text, in hex."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def key_path(environ: Mapping[str, str], home: Path) -> Path:
    """`$RAGEVAL_KEY_FILE`, else `rageval-kit/key` under `$XDG_CONFIG_HOME` or `~/.config`."""
    named = environ.get(KEY_VARIABLE, "")
    if named:
        return Path(named)
    config = environ.get("XDG_CONFIG_HOME", "")
    return (Path(config) if config else home / ".config") / "rageval-kit" / "key"


def own_key_path() -> Path:
    """`key_path` of whoever runs this process."""
    try:
        home = Path.home()
    except RuntimeError as error:
        # An account without a home (a container's number, say), and no HOME.
        if not (os.environ.get(KEY_VARIABLE) or os.environ.get("XDG_CONFIG_HOME")):
            raise InputError.one(
                "key file", "has no place: there is no home folder", "", f"set {KEY_VARIABLE}"
            ) from error
        home = Path("~")
    return key_path(os.environ, home)


def load_key(path: Path, *, outside: Path | None = None) -> bytes:
    """The key in `path`; made there once, readable by its owner alone, if there is none.

    Safe when several processes start at once: one file wins and all read it. `outside` is the
    archive root, under which the key must not lie.
    """
    if outside is not None and path.resolve().is_relative_to(outside.resolve()):
        raise InputError.one(
            str(path),
            "the key lies inside the archive",
            str(outside),
            f"set {KEY_VARIABLE} elsewhere",
        )
    with as_kit_error(path, f"the key file cannot be read or made (${KEY_VARIABLE} names another)"):
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            text = secrets.token_bytes(KEY_BYTES).hex() + "\n"
            # Where another process was first, its key is the key.
            with contextlib.suppress(FileExistsError):
                write_new(path, text.encode(), mode=0o600)
        return _read(path)


def _read(path: Path) -> bytes:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise InputError.one(str(path), "the key is not a regular file", "", "name a file")
        if os.name == "posix" and status.st_mode & 0o077:
            raise InputError.one(
                str(path),
                "others can read the key",
                f"mode {stat.S_IMODE(status.st_mode):04o}",
                f"run: chmod 600 {path}",
            )
        data = file.read(_MAX_KEY_FILE + 1)
    try:
        key = bytes.fromhex(data.decode("ascii").strip())
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES:
        raise InputError.one(
            str(path),
            "does not hold a key",
            f"{len(data)} bytes",
            f"put {2 * KEY_BYTES} or more hexadecimal digits there, or remove it to have one made",
        )
    return key
