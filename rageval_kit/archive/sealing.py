"""How do full texts stay with a run for named people, and for nobody else?

age (https://age-encryption.org/v1), to public keys: the run itself cannot read what it has sealed.
One file for each part of a run, whole or absent; nothing is ever on the disk in plain text.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rageval_kit.archive.canonical import plain
from rageval_kit.archive.files import as_kit_error, write_new
from rageval_kit.archive.folder import EVIDENCE, SEALED, RunFolder
from rageval_kit.archive.reading import read_file, walk
from rageval_kit.records.faults import Fault, InputError

_PUBLIC = re.compile(r"age1[02-9ac-hj-np-z]{58}|ssh-(?:ed25519|rsa) [A-Za-z0-9+/=]+(?: .*)?")
_PRIVATE = "AGE-SECRET-KEY-"
_MAX_KEY_BYTES = 64 * 1024
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Sealer:
    """Encrypts for `names`, the public keys as they were given."""

    names: tuple[str, ...]
    encrypt: Callable[[bytes], bytes]

    def put(self, folder: RunFolder, name: str, records: Iterable[object]) -> int:
        """Write records as JSON lines, sealed, to `evidence/<name>.jsonl.age`; how many.

        Secrets are masked first. Without a record nothing is written, and what an interrupted run
        left there, perhaps of a reply that is another now, is taken away.
        """
        lines = [_line(folder.mask.structure(plain(record))) for record in records]
        path = f"{EVIDENCE}/{name}{SEALED}"
        if lines:
            folder.write_sealed(path, self.encrypt(b"".join(lines)))
        else:
            (folder.path / path).unlink(missing_ok=True)
        return len(lines)


def sealer(recipients: Sequence[str]) -> Sealer | None:
    """For public keys (`age1…`, `ssh-ed25519 …`) or files with one a line; None without any."""
    if not recipients:
        return None
    age = _age()
    faults: list[Fault] = []
    names = [name for given in recipients for name in _named(given, faults)]
    keys: list[Any] = []
    for name in names:
        kind = age.ssh if name.startswith("ssh-") else age.x25519
        try:
            keys.append(kind.Recipient.from_str(name))
        except age.RecipientError as error:
            faults.append(
                Fault("archive.recipients", "is no public key", name[:_SHOWN], f"{error}")
            )
    if faults:
        raise InputError(faults)
    return Sealer(tuple(names), lambda data: bytes(age.encrypt(data, keys)))


def unseal(folder: Path, identity: Path, output: Path) -> list[Path]:
    """Decrypt every sealed file of an archive into the new folder `output`; the files written.

    All or nothing: a file that this identity does not open, or that was changed, is refused first.
    """
    if output.resolve().is_relative_to(folder.resolve()):
        raise InputError.one(str(output), "lies inside the archive", "", "name a folder elsewhere")
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise InputError.one(str(output), "is not a new folder", "", "name another")
    names = [one.name for one in walk(folder) if not one.odd and one.name.endswith(SEALED)]
    if not names:
        way_out = "a run seals texts of its findings only with archive.recipients=[…]"
        raise InputError.one(str(folder), "holds no sealed evidence", "", way_out)
    age, key = _age(), _identity(identity)
    opened: dict[str, bytes] = {}
    faults = []
    for name in names:
        try:
            opened[name] = bytes(age.decrypt(read_file(folder, name), [key]))
        except age.DecryptError as error:
            faults.append(Fault(f"{folder / name}", "is not opened by this identity", str(error)))
    if faults:
        raise InputError(faults)
    with as_kit_error(output, "cannot be written"):
        output.mkdir(parents=True, exist_ok=True, mode=0o700)
        written = [output / Path(name).name.removesuffix(".age") for name in names]
        for path, data in zip(written, opened.values(), strict=True):
            write_new(path, data, 0o600)
    return written


def generate(path: Path) -> str:
    """Make an identity in `path`, for its owner alone; returns the public key to give out."""
    identity = _age().x25519.Identity.generate()
    public = str(identity.to_public())
    if path.exists() or path.is_symlink():
        raise InputError.one(str(path), "exists already", "", "name another")
    with as_kit_error(path, "the identity cannot be written"):
        write_new(path, f"# public key: {public}\n{identity}\n".encode(), 0o600)
    return public


def _line(record: Any) -> bytes:
    """One line of JSON; a lone surrogate, which a reply may hold and UTF-8 lacks, is escaped."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _named(given: str, faults: list[Fault]) -> list[str]:
    """The keys that one word of the configuration names: itself, or the lines of a file."""
    where = "archive.recipients"
    if given.startswith(_PRIVATE):
        way_out = "give the public key (age1…), and think of this one as known to others now"
        faults.append(Fault(where, "is a private key", "not shown", way_out))
        return []
    if _PUBLIC.fullmatch(given):
        return [given]
    path = Path(given).expanduser()
    if not path.is_file():
        problem = "is neither a public key (age1…, ssh-ed25519 …) nor a file of them"
        faults.append(Fault(where, problem, given[:_SHOWN], "rageval-kit keygen --evidence FILE"))
        return []
    found = []
    lines = enumerate(_read(path).splitlines(), 1)
    for number, line in ((n, text.strip()) for n, text in lines):
        if not line or line.startswith("#"):
            continue
        if line.startswith(_PRIVATE) or not _PUBLIC.fullmatch(line):
            # It may be a private key: the line is named, not shown.
            faults.append(Fault(f"{path}:{number}", "is no public key", "", "one a line, age1…"))
        else:
            found.append(line)
    if not found and not faults:
        faults.append(Fault(str(path), "names no recipient", "", "one public key a line"))
    return found


def _identity(path: Path) -> Any:
    age, text = _age(), _read(path)
    lines = [line.strip() for line in text.splitlines()]
    secret = next((line for line in lines if line.startswith(_PRIVATE)), "")
    try:
        if secret:
            return age.x25519.Identity.from_str(secret)
        return age.ssh.Identity.from_buffer(text.encode())
    except age.IdentityError as error:
        way_out = f"a file with {_PRIVATE}…, or an SSH private key without a password"
        raise InputError.one(f"identity {path}", "holds no identity", "", way_out) from error


def _read(path: Path) -> str:
    if not path.is_file():
        raise InputError.one(str(path), "is not a file", "", "rageval-kit keygen --evidence FILE")
    with as_kit_error(path, "cannot be read"), path.open("rb") as file:
        return file.read(_MAX_KEY_BYTES).decode("utf-8", "replace")


def _age() -> Any:
    try:
        import pyrage  # type: ignore[import-untyped]
    except ImportError as error:
        raise InputError.lacking("sealed evidence", "seal") from error
    return pyrage
