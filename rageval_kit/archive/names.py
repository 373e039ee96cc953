"""Which names may stand in an archive, on any file system and inside any zip?"""

import hashlib
import re
from datetime import UTC, datetime
from pathlib import PurePosixPath

from rageval_kit.records.faults import InputError

MAX_NAME_BYTES = 80
MAX_PATH_BYTES = 180
MAX_PARTS = 4

_SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*", re.ASCII)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)
_SUFFIXED = re.compile(r"-[0-9a-f]{12}(?:\.|\Z)", re.ASCII)
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "clock$"]
    + [f"{port}{n}" for port in ("com", "lpt") for n in range(10)]
)
_HASH_LENGTH = 12
_TOKEN_BYTES = 4


def new_run_id(now: datetime, token: bytes) -> str:
    """`20261130T081500Z-3f9a2c51`: sorts by instant; `token` (random bytes) makes it unique."""
    if now.tzinfo is None:
        raise InputError.one(
            "run id", "the time has no zone", now.isoformat(), "give an instant with a time zone"
        )
    if len(token) < _TOKEN_BYTES:
        raise InputError.one(
            "run id",
            "the token is too short",
            f"{len(token)} bytes",
            f"give {_TOKEN_BYTES} or more",
        )
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{token[:_TOKEN_BYTES].hex()}"


def safe_name(text: str) -> str:
    """A file name for any id: at most 80 bytes of `[A-Za-z0-9._-]`; different ids, different names.

    An id that is a plain lower-case name stays as it is; any other ends in a hash of the id, so
    that names stay apart also where case is ignored. The id itself belongs inside the file.
    """
    if _is_safe(text) and text == text.lower() and not _SUFFIXED.search(text):
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]
    stem = _UNSAFE.sub("_", text).strip("._- ")[: MAX_NAME_BYTES - _HASH_LENGTH - 1]
    stem = stem.rstrip("._- ") or "_"
    if _is_device(stem):
        stem = f"_{stem}"
    return f"{stem}-{digest}"


def check_name(
    name: str, what: str = "archive file name", max_parts: int = MAX_PARTS
) -> PurePosixPath:
    """`name` as a relative path inside a run folder, or InputError."""
    parts = name.split("/")
    if len(parts) > max_parts or not all(_is_safe(part) for part in parts):
        raise InputError.one(
            what,
            "is not a plain relative name",
            ascii(name),
            f"use letters, digits, dot, dash and underscore, at most {MAX_NAME_BYTES} bytes a part "
            "(safe_name makes one of any id)",
        )
    return PurePosixPath(name)


def _is_safe(part: str) -> bool:
    return (
        len(part) <= MAX_NAME_BYTES
        and _SAFE.fullmatch(part) is not None
        and not part.endswith(".")
        and not _is_device(part)
    )


def _is_device(part: str) -> bool:
    # Windows opens the device for `con` and for `CON.txt` alike.
    return part.split(".", 1)[0].lower() in _DEVICES
