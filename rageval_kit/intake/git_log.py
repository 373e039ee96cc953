"""What did each commit of a stranger's git repository change, with nothing of it executed?

Git runs on an empty repository of our own that borrows only the stranger's objects, so that no
hook, filter, attribute, alias or setting of theirs is ever read while history is walked.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from rageval_kit.intake.report import shown
from rageval_kit.records.faults import InputError

MAX_BLOB = 10_000_000
_BLOCK = 1 << 16
_RENAMES = "1000"  # files of one commit that are compared for renames with changed content
_FILES = ("100644", "100755", "100664")
# --raw -z: `:old-mode new-mode old-id new-id status`, NUL, path, and for a rename a second path
_META = 5


@dataclass(frozen=True, slots=True)
class Change:
    """`old` is the path it came from where renamed; `blob` is empty where no plain file is left."""

    path: str
    blob: str
    old: str = ""
    is_odd: bool = False  # a link or a submodule


@dataclass(frozen=True, slots=True)
class Commit:
    commit_id: str
    committed: datetime
    authored: datetime
    changes: tuple[Change, ...]


@dataclass(slots=True)
class GitLog:
    """The history of one repository up to what its HEAD was when it was opened."""

    source: Path
    head: str
    is_shallow: bool
    _git: list[str]
    _environment: Mapping[str, str]
    _reader: subprocess.Popen[bytes] | None = None

    def commits(self) -> Iterator[Commit]:
        """Give the commits from the oldest on; of a merge, what it changed on the main line."""
        words = ["log", "--reverse", "--first-parent", "-m", "--root", "--raw", "--no-abbrev", "-z"]
        words += ["-M", f"-l{_RENAMES}", "--no-ext-diff", "--no-textconv"]
        words += ["--no-show-signature", "--format=%x01%H %ct %at", self.head]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(  # noqa: S603 - no word comes from the repository but an id
                [*self._git, *words], stdout=subprocess.PIPE, stderr=said, env=self._environment
            )
            with process:
                try:
                    if process.stdout is not None:
                        yield from _commits(_tokens(process.stdout))
                except GeneratorExit:
                    process.kill()
                    raise
            if process.returncode:
                said.seek(0)
                raise _broken(self.source, said.read(_BLOCK))

    def blob(self, blob_id: str) -> bytes | None:
        """Read one file; None where it is larger than MAX_BLOB (it is then read past, not kept)."""
        if self._reader is None:
            self._reader = subprocess.Popen(  # noqa: S603 - fixed words
                [*self._git, "cat-file", "--batch"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment,
            )
        asked, told = self._reader.stdin, self._reader.stdout
        if asked is None or told is None:
            raise _broken(self.source, b"")
        try:
            asked.write(blob_id.encode() + b"\n")
            asked.flush()
        except OSError as error:
            raise _broken(self.source, b"cat-file ended") from error
        head = told.readline().split()
        if len(head) != 3 or head[1] != b"blob":  # noqa: PLR2004 - id, kind, size
            raise InputError.one(
                f"{self.source}: object {blob_id}",
                "is missing from the repository",
                "",
                "fetch it whole (a partial clone holds no old files), or mend it with git fsck",
            )
        size = int(head[2])
        content = told.read(size) if size <= MAX_BLOB else None
        left = 0 if content is not None else size
        while left > 0:
            block = told.read(min(left, _BLOCK))
            left -= len(block) or left
        told.read(1)
        return content

    def close(self) -> None:
        if self._reader is not None:
            self._reader.kill()
            for stream in (self._reader.stdin, self._reader.stdout):
                if stream is not None:
                    stream.close()
            self._reader.wait()


def is_repository(folder: Path) -> bool:
    """Tell whether the folder itself (none above it) is a work tree or a bare repository."""
    return (folder / ".git").exists() or all(
        (folder / name).exists() for name in ("HEAD", "objects", "refs")
    )


@contextmanager
def open_log(source: Path) -> Iterator[GitLog]:
    """Open a repository for reading; nothing is checked out, written or executed."""
    git = shutil.which("git")
    if git is None:
        raise InputError.one(
            str(source), "needs git, which is not on PATH", "", "install git (2.29 or newer)"
        )
    if not is_repository(source):
        raise InputError.one(
            str(source),
            "is no git repository",
            "",
            "name the folder that holds .git, or drop --tenant",
        )
    with tempfile.TemporaryDirectory(prefix="rageval-git-") as temporary:
        here = Path(temporary)
        environment = _environment(source, here)
        objects, shallow, form, head = _places(git, source, environment)
        own = here / "own.git"
        (own / "refs").mkdir(parents=True)
        (own / "objects").mkdir()
        (own / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        is_old = form == "sha1"
        extension = "" if is_old else f"[extensions]\n\tobjectformat = {form}\n"
        (own / "config").write_text(
            f"[core]\n\trepositoryformatversion = {int(not is_old)}\n\tbare = true\n{extension}",
            encoding="ascii",
        )
        if shallow is not None:
            shutil.copyfile(shallow, own / "shallow")
        environment["GIT_OBJECT_DIRECTORY"] = str(objects)
        # a commit graph is a cache that could tell another history than the commits do
        words = [git, f"--git-dir={own}", "--no-pager", "-c", "core.commitGraph=false"]
        log = GitLog(source, head, shallow is not None, words, environment)
        try:
            yield log
        finally:
            log.close()


def _environment(source: Path, home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(source.resolve().parent),
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
    }


def _places(
    git: str, source: Path, environment: Mapping[str, str]
) -> tuple[Path, Path | None, str, str]:
    """Ask where the objects lie, where the list of cut-off commits, how ids are made, and HEAD."""
    words = ["-C", str(source.resolve()), "--no-pager", "-c", "safe.directory=*"]
    words += ["-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}", "rev-parse"]
    asked = ["--show-object-format", "--git-path", "objects", "--git-path", "shallow"]
    done = subprocess.run(  # noqa: S603 - fixed words and the path that the caller gave
        [git, *words, *asked, "--verify", "HEAD^{commit}"],
        capture_output=True,
        env=environment,
        check=False,
    )
    told = done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    if done.returncode or len(told) != len(("form", "objects", "shallow", "head")):
        if b"Needed a single revision" in done.stderr:
            raise InputError.one(str(source), "has no commit", "", "commit the documents first")
        raise _broken(source, done.stderr)
    base = source.resolve()
    shallow = base / told[2]
    return (base / told[1]).resolve(), shallow if shallow.is_file() else None, told[0], told[3]


def _broken(source: Path, said: bytes) -> InputError:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return InputError.one(
        str(source),
        "is a repository that git cannot read",
        shown(lines[-1]) if lines else "",
        "look at it with git fsck",
    )


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(_BLOCK):
        *whole, rest = (rest + block).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _commits(tokens: Iterator[bytes]) -> Iterator[Commit]:
    head: list[bytes] = []
    changes: list[Change] = []
    for token in tokens:
        if token.startswith(b"\x01"):
            if head:
                yield _commit(head, changes)
            head, changes = token[1:].split(), []
        elif meta := token.lstrip(b"\n").removeprefix(b":").split():
            if len(meta) != _META:
                continue
            first = next(tokens, b"")
            renamed = meta[4][:1] in (b"R", b"C")
            path = next(tokens, b"") if renamed else first
            mode, blob = meta[1].decode(), meta[3].decode()
            is_file = mode in _FILES
            old = name_of(first) if meta[4].startswith(b"R") else ""
            is_odd = not is_file and mode != "000000"
            changes.append(Change(name_of(path), blob if is_file else "", old, is_odd))
    if head:
        yield _commit(head, changes)


def _commit(head: list[bytes], changes: list[Change]) -> Commit:
    commit_id, committed, authored = head
    return Commit(commit_id.decode(), _instant(committed), _instant(authored), tuple(changes))


def _instant(seconds: bytes) -> datetime:
    """Give the instant of a commit; one outside the years that exist counts as the nearest."""
    last = int(datetime(9000, 1, 1, tzinfo=UTC).timestamp())
    return datetime.fromtimestamp(min(max(int(seconds), 0), last), UTC)


def name_of(path: bytes) -> str:
    r"""Read a path as text; bytes that are no UTF-8 stand as `\xff`."""
    return path.decode("utf-8", "backslashreplace")
