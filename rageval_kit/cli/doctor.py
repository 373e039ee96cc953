"""Is everything here that a run needs, and where does it come from?"""

import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put

_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w-]+)['\"]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing looked at; `ok` None: no judgment, only a fact."""

    what: str
    found: str
    ok: bool | None = None
    way_out: str = ""


@click.command("doctor", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--root",
    envvar="RAGEVAL_ROOT",
    default="reports/archive",
    show_default=True,
    help="Where runs would be archived.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(root: str, *, as_json: bool) -> int:
    """Show versions, extras, folders and what this machine allows: 0 if a run can start, else 5."""
    lines = [
        *_versions(),
        *_extras(),
        *_trees(),
        *_console(),
        _archive(Path(root)),
        _key(Path(root)),
    ]
    if as_json:
        machine([asdict(line) for line in lines])
    else:
        for line in lines:
            mark = {True: "ok", False: "NO", None: "  "}[line.ok]
            way_out = f"; {line.way_out}" if line.way_out else ""
            put(f"{mark}  {line.what}: {line.found}{way_out}")
    return 5 if any(line.ok is False for line in lines) else 0


def _versions() -> Iterator[Line]:
    good = sys.version_info >= (3, 11)
    way_out = "" if good else "use Python 3.11 or later"
    yield Line("Python", f"{platform.python_version()} ({sys.executable})", good, way_out)
    yield Line("rageval-kit", version("rageval-kit"), ok=True)
    for name in _needed(None):
        yield _installed(name, f"pip install {name}")


def _extras() -> Iterator[Line]:
    told = requires("rageval-kit") or []
    extras = sorted({found[1] for one in told if (found := _EXTRA.search(one))} - {"dev"})
    for extra in extras:
        missing = [name for name in _needed(extra) if not _has(name)]
        if missing:
            way_out = f"pip install 'rageval-kit[{extra}]'"
            yield Line(f"extra [{extra}]", f"not installed: {', '.join(missing)}", None, way_out)
        else:
            yield Line(f"extra [{extra}]", "installed", ok=True)


def _needed(extra: str | None) -> list[str]:
    names = []
    for one in requires("rageval-kit") or []:
        marked = _EXTRA.search(one)
        found = _NAME.match(one)
        if found and (marked[1] if marked else None) == extra:
            names.append(found[0])
    return names


def _has(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _installed(name: str, way_out: str) -> Line:
    if _has(name):
        return Line(name, version(name), ok=True)
    return Line(name, "not installed", ok=False, way_out=way_out)


def _trees() -> Iterator[Line]:
    from rageval_kit.resources import tree

    for name in ("conf", "suites", "reports/templates"):
        folder = tree(name)
        there = folder.is_dir()
        yield Line(name, str(folder), there, "" if there else "install rageval-kit again")


def _console() -> Iterator[Line]:
    for name, stream in (("stdout", sys.stdout), ("stderr", sys.stderr)):
        encoding = stream.encoding or "unknown"
        fits = _can_write("✓ 通过", encoding)
        way_out = "" if fits else "set PYTHONIOENCODING=utf-8; missing characters are replaced"
        where = "terminal" if stream.isatty() else "not a terminal"
        yield Line(f"{name} encoding", f"{encoding} ({where})", None, way_out)


def _can_write(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _archive(root: Path) -> Line:
    """Look at the nearest folder that exists; doctor makes none."""
    nearest = next((one for one in (root, *root.absolute().parents) if one.is_dir()), Path("/"))
    good = os.access(nearest, os.W_OK | os.X_OK)
    way_out = "" if good else "choose another folder with archive.root=…"
    found = f"{root.absolute()} ({'can' if good else 'cannot'} be written)"
    return Line("archive", found, good, way_out)


def _key(root: Path) -> Line:
    from rageval_kit.archive.keys import KEY_VARIABLE, own_key_path
    from rageval_kit.records.faults import InputError

    try:
        path = own_key_path()
    except InputError as error:
        fault = error.faults[0]
        return Line(fault.where, fault.problem, ok=False, way_out=fault.way_out)
    if path.resolve().is_relative_to(root.resolve()):
        return Line(
            "key file", f"{path} lies in the archive", ok=False, way_out=f"set {KEY_VARIABLE}"
        )
    if not path.exists():
        return Line("key file", f"{path} (made by the first run)")
    if os.name == "posix" and path.stat().st_mode & 0o077:
        return Line(
            "key file", f"{path} is readable by others", ok=False, way_out=f"chmod 600 {path}"
        )
    return Line("key file", str(path), ok=True)
