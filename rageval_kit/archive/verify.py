"""Is this archive still what was sealed, and if not, what was done to it?"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rageval_kit.archive.chain import check_chain
from rageval_kit.archive.files import open_regular
from rageval_kit.archive.folder import MANIFEST, SIGNATURE
from rageval_kit.archive.journal import JOURNAL
from rageval_kit.archive.manifest import (
    FORMAT,
    VERSION,
    FileEntry,
    Manifest,
    hash_file,
    parse,
    render,
)
from rageval_kit.archive.reading import LIMITS, Found, Limits, walk
from rageval_kit.archive.signing import problems_of
from rageval_kit.records.faults import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

INTACT, DIFFERS, UNREADABLE = 0, 1, 2
_CHUNK = 1024 * 1024
_EXPECT = re.compile(r"(?:sha256:)?([0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """`exit_code` 0 intact, 1 differs, 2 unreadable or no archive; `problems` one line each.

    `signed_by`: the key ids that the signature names, which says nothing unless keys were given.
    """

    ok: bool
    exit_code: int
    problems: tuple[str, ...] = ()
    root_digest: str = ""
    run_id: str = ""
    previous: str = ""
    files: int = 0
    records: int = 0
    signed_by: tuple[str, ...] = ()


def verify(
    folder: Path,
    expect: str | None = None,
    limits: Limits = LIMITS,
    keys: "Sequence[Ed25519PublicKey]" = (),
) -> VerifyReport:
    """Every file against the manifest, every record against its chain, the manifest against itself.

    `expect` is a root digest kept elsewhere, `keys` those of people who must have signed; only with
    one of the two is the archive shown to be the very one.
    """
    wanted = _EXPECT.fullmatch(expect.strip().lower()) if expect is not None else None
    if expect is not None and wanted is None:
        return _unreadable(
            f"the expected digest is not 64 hexadecimal digits (met {expect[:80]!r})"
        )
    try:
        if _lacks(folder, MANIFEST):
            # Said before anything is walked: it may be a whole disk that is no archive.
            hint = "not a sealed archive"
            if not _lacks(folder, JOURNAL):
                hint = "an interrupted run; resume it"
            return _unreadable(f"{folder}: there is no {MANIFEST} ({hint})")
        found = {item.name: item for item in walk(folder, limits)}
        return _verify(folder, found, wanted[1] if wanted else None, limits, keys)
    except InputError as error:
        return _unreadable(*(str(fault) for fault in error.faults))
    except OSError as error:
        where = _shown(str(error.filename or folder))
        return _unreadable(f"{where}: cannot be read: {error.strerror or error}")


def _verify(
    folder: Path,
    found: dict[str, Found],
    expect: str | None,
    limits: Limits,
    keys: "Sequence[Ed25519PublicKey]",
) -> VerifyReport:
    item = found.pop(MANIFEST, None)
    if item is None:
        return _unreadable(f"{folder}: there is no {MANIFEST} (not a sealed archive)")
    if item.odd:
        return _unreadable(f"{MANIFEST}: is {item.odd}; archives hold plain files only")
    if item.size > limits.manifest_bytes:
        return _unreadable(f"{MANIFEST}: {item.size} bytes are too many for a manifest")
    with open_regular(item.path) as file:
        data = file.read(limits.manifest_bytes)
    root = hashlib.sha256(data).hexdigest()
    manifest = parse(data)
    if manifest is None or manifest.format != FORMAT:
        return VerifyReport(
            ok=False,
            exit_code=DIFFERS,
            problems=(f"{MANIFEST}: was changed: it is no longer a manifest",),
            root_digest=root,
        )
    problems = list(_manifest_problems(manifest, data))
    if not problems and manifest.version != VERSION:
        return _unreadable(
            f"{MANIFEST}: written in version {manifest.version} of the format, this kit reads "
            f"{VERSION}; use the kit that wrote it, or a newer one"
        )
    if expect is not None and root != expect:
        problems.append(f"root digest is {root}, expected {expect}: not the archive you know")
    found.pop(SIGNATURE, None)
    signed_by, unsigned = problems_of(folder, root, keys)
    problems += [*unsigned, *_file_problems(manifest, found)]
    return VerifyReport(
        ok=not problems,
        exit_code=DIFFERS if problems else INTACT,
        problems=tuple(problems),
        root_digest=root,
        run_id=manifest.run_id,
        previous=manifest.previous or "",
        files=len(manifest.files),
        records=sum(entry.records or 0 for entry in manifest.files),
        signed_by=signed_by,
    )


def _lacks(folder: Path, name: str) -> bool:
    """Whether a folder that can be read holds nothing of this name, be it a link to nowhere."""
    try:
        (folder / name).lstat()
    except FileNotFoundError:
        folder.stat()  # a folder that is not there is another fault
        return True
    return False


def _manifest_problems(manifest: Manifest, data: bytes) -> Iterator[str]:
    right = render(manifest)
    if data != right:
        if _unix(data) == right:
            yield f"{MANIFEST}: bytes differ; only line endings changed"
        elif parse(right) == manifest:
            yield f"{MANIFEST}: was changed (blanks, order or extra fields, not the content)"
        else:
            yield f"{MANIFEST}: was changed: it does not match its own digest"
    names = [entry.path for entry in manifest.files]
    if names != sorted(set(names)):
        yield f"{MANIFEST}: names a file twice or out of order"


def _file_problems(manifest: Manifest, found: dict[str, Found]) -> Iterator[str]:
    listed = {entry.path: entry for entry in manifest.files}
    missing = [entry for name, entry in listed.items() if name not in found]
    extra = [item for name, item in sorted(found.items()) if name not in listed]
    moved = _renamed(missing, extra)
    for entry in missing:
        if entry.path in moved:
            yield f"{_shown(entry.path)}: renamed to {_shown(moved[entry.path])}"
        else:
            yield f"{_shown(entry.path)}: missing"
    for item in extra:
        if item.odd:
            yield f"{_shown(item.name)}: is {item.odd}; archives hold plain files only"
        elif item.name == JOURNAL:
            yield (
                f"{JOURNAL}: added, not in the manifest (left by a run killed just after sealing? "
                "then delete it)"
            )
        elif item.name not in moved.values():
            yield f"{_shown(item.name)}: added, not in the manifest"
    for name, entry in listed.items():
        if name in found:
            yield from _compare(entry, found[name])


def _compare(entry: FileEntry, item: Found) -> Iterator[str]:
    name = _shown(entry.path)
    if item.odd:
        yield f"{name}: is {item.odd}; archives hold plain files only"
        return
    same = item.size == entry.size and hash_file(item.path) == (entry.size, entry.sha256)
    chained = entry.records is not None
    if not same:
        # Twice the size is the most that converted line ends can make of a file.
        near = entry.size <= 2 * item.size + 1 and item.size <= 2 * entry.size + 1
        if near and entry.sha256 in _with_other_line_ends(item.path):
            yield f"{name}: bytes differ; only line endings changed"
            return
        yield (
            f"{name}: bytes differ"
            if item.size == entry.size
            else f"{name}: bytes differ ({item.size} bytes instead of {entry.size})"
        )
    if chained and (same or item.size <= 2 * entry.size + _CHUNK):
        end, problems = check_chain(item.path)
        for problem in problems:
            yield f"{name}: {problem}"
        if end.records != entry.records:
            yield f"{name}: {end.records} records instead of {entry.records}"
        elif end.head != entry.head and not problems:
            yield f"{name}: the chain ends in another hash than the manifest says"


def _renamed(missing: Iterable[FileEntry], extra: Iterable[Found]) -> dict[str, str]:
    """Which missing file stands under which other name, with the same bytes."""
    spare = [item for item in extra if not item.odd]
    moved: dict[str, str] = {}
    for entry in missing:
        for item in spare:
            if item.size == entry.size and hash_file(item.path)[1] == entry.sha256:
                moved[entry.path] = item.name
                spare.remove(item)
                break
    return moved


def _unix(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _windows(data: bytes) -> bytes:
    return _unix(data).replace(b"\n", b"\r\n")


def _old_mac(data: bytes) -> bytes:
    return data.replace(b"\r", b"\n")


def _with_other_line_ends(path: Path) -> set[str]:
    """The digests the file would have with line ends converted back, in whichever way."""
    return {_converted_digest(path, convert) for convert in (_unix, _windows, _old_mac)}


def _converted_digest(path: Path, convert: Callable[[bytes], bytes]) -> str:
    digest = hashlib.sha256()
    held = b""
    with open_regular(path) as file:
        while piece := file.read(_CHUNK):
            piece = held + piece
            # A pair of bytes cut in two by the reading is kept together.
            held = b"\r" if piece.endswith(b"\r") else b""
            digest.update(convert(piece[: len(piece) - len(held)]))
    digest.update(convert(held))
    return digest.hexdigest()


def _shown(name: str) -> str:
    """A name as it may stand in a message: a stranger's file name is not trusted to be plain."""
    return name if name.isprintable() else ascii(name)[:200]


def _unreadable(*problems: str) -> VerifyReport:
    return VerifyReport(ok=False, exit_code=UNREADABLE, problems=problems)
