"""A tar or zip from a stranger, unpacked whole into a new folder or refused whole."""

import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from rageval_kit.corpus.atomic import new_folder
from rageval_kit.records.faults import Fault, InputError

MAX_MEMBERS = 100_000
MAX_BYTES = 2_000_000_000
SUFFIXES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_COPY = 1 << 20


def is_archive(path: Path) -> bool:
    return path.name.lower().endswith(SUFFIXES)


def unpack(archive: Path, target: Path) -> Path:
    """Unpack regular files only; every bad member is named, and then nothing is written.

    Bad is: a path that leaves the folder or is absolute, a link or device or what lies behind a
    link, two members with one name, an encrypted member, more than the stated size.
    """
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as zipped:
                _unzip(archive, zipped, target)
        else:
            with tarfile.open(archive) as tarred:
                _untar(archive, tarred, target)
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError) as e:
        raise InputError.one(
            str(archive), f"is not an archive that can be read ({e})", "", "pack it anew"
        ) from e
    except OSError as error:
        raise InputError.one(
            str(archive), f"cannot be opened ({error.strerror})", "", "check the path"
        ) from error
    return target


def _bad_name(name: str) -> str:
    if not name or "\x00" in name:
        return "has no usable name"
    if name.startswith(("/", "\\")) or PureWindowsPath(name).drive:
        return "has an absolute path"
    if "\\" in name:
        return "has a backslash in its path"
    if ".." in PurePosixPath(name).parts:
        return "leaves the folder"
    return ""


def _refuse(
    archive: Path, members: Iterable[tuple[str, int, str]], links: Iterable[str], files: set[str]
) -> None:
    """Judge (name, size, fault of its kind) of every member before the first is written."""
    behind = {PurePosixPath(name) for name in links}
    faults: list[Fault] = []
    met: dict[str, str] = {}
    total = count = 0
    for name, size, kind_fault in members:
        count += 1
        total += size
        fault = _bad_name(name) or kind_fault
        path = PurePosixPath(name)
        if not fault and any(parent in behind for parent in path.parents):
            fault = "lies behind a link"
        if not fault and any(str(parent) in files for parent in path.parents):
            fault = "lies behind a file"
        # what is one file on some file systems must not be two members here
        folded = unicodedata.normalize("NFC", str(path)).casefold()
        if not fault and met.setdefault(folded, name) is not name:
            fault = f"has the same path as {met[folded]!r}"
        if fault:
            where = f"{archive}: {name!r}"
            faults.append(Fault(where, f"the member {fault}", "", "pack plain files only"))
    if count > MAX_MEMBERS:
        way_out = "divide the archive"
        faults.append(Fault(str(archive), f"has over {MAX_MEMBERS} members", str(count), way_out))
    if total > MAX_BYTES:
        rule = f"unpacks to over {MAX_BYTES} bytes"
        faults.append(Fault(str(archive), rule, str(total), "divide the archive"))
    if faults:
        raise InputError(faults)


def _untar(archive: Path, tarred: tarfile.TarFile, target: Path) -> None:
    members = tarred.getmembers()

    def kind(member: tarfile.TarInfo) -> str:
        if member.issym() or member.islnk():
            return f"is a link (to {member.linkname!r})"
        return "" if member.isreg() or member.isdir() else "is no plain file"

    links = [member.name for member in members if member.issym() or member.islnk()]
    judged = [(member.name, member.size, kind(member)) for member in members if _counts(member)]
    files = {str(PurePosixPath(member.name)) for member in members if member.isreg()}
    _refuse(archive, judged, links, files)
    with new_folder(target) as partial:
        for member in members:
            source = tarred.extractfile(member) if member.isreg() else None
            if source is not None:
                with source:
                    _copy(source, partial / member.name, member.size)


def _counts(member: tarfile.TarInfo) -> bool:
    # the folder itself stands in many archives as "."
    return not (member.isdir() and member.name in (".", ""))


def _unzip(archive: Path, zipped: zipfile.ZipFile, target: Path) -> None:
    members = zipped.infolist()

    def kind(member: zipfile.ZipInfo) -> str:
        mode = stat.S_IFMT(member.external_attr >> 16)
        if mode == stat.S_IFLNK:
            return "is a link"
        if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
            return "is no plain file"
        return "is encrypted" if member.flag_bits & 1 else ""

    links = [m.filename for m in members if stat.S_IFMT(m.external_attr >> 16) == stat.S_IFLNK]
    # orig_filename: zipfile itself cuts a name at a NUL and turns backslashes on some systems
    judged = [(m.orig_filename, m.file_size, kind(m)) for m in members]
    files = {str(PurePosixPath(member.filename)) for member in members if not member.is_dir()}
    _refuse(archive, judged, links, files)
    with new_folder(target) as partial:
        for member in members:
            if not member.is_dir():
                with zipped.open(member) as source:
                    _copy(source, partial / member.filename, member.file_size)


def _copy(source: object, path: Path, size: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    left = size
    with path.open("xb") as file:
        # never more than the member declared: a lying size would fill the disk
        while left > 0:
            block: bytes = source.read(min(_COPY, left))  # type: ignore[attr-defined]
            if not block:
                break
            file.write(block)
            left -= len(block)
