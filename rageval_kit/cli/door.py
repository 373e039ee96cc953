"""Where does a command line go, and how does whatever goes wrong become one exit code?"""

import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import category

import click

from rageval_kit.cli.app import COMMANDS, app
from rageval_kit.cli.streams import flush_all, let_go, open_all, say
from rageval_kit.records.faults import Fault, InputError, KitError

if TYPE_CHECKING:
    from rageval_kit.archive.masking import Mask

USAGE, SECURITY, CRASH, INTERRUPTED = 2, 3, 5, 130
_CLICKS_OWN = frozenset({"-h", "--help", "--version"})


def start(words: Sequence[str]) -> int:  # noqa: PLR0911 - one return for each ending
    """Return the exit code of a command line; nothing leaves this function as an exception."""
    open_all()
    try:
        result = app.main(_routed(words), prog_name="rageval-kit", standalone_mode=False)
    except click.ClickException as error:
        say(_click_message(error))
        return USAGE
    except (KeyboardInterrupt, click.Abort):
        say("interrupted")
        return INTERRUPTED
    except InputError as error:
        tell(error)
        return error.exit_code
    except KitError as error:
        say(f"rageval-kit: {one_line(str(error))}")
        return error.exit_code
    except SystemExit:
        # Click leaves so where the reader of a pipe (head, say) left: there is nobody to tell.
        if type(sys.stdout).__name__.endswith("PacifyFlushWrapper"):
            let_go(sys.stdout)
            return 0
        say("rageval-kit: a part of it tried to end the process")
        return CRASH
    except Exception as error:  # noqa: BLE001 - the door: nobody is shown a stack trace
        say(_no_folder() or crash_line(error, trace_log(error)))
        return CRASH
    return result if isinstance(result, int) else 0


def finish(code: int) -> int:
    """Return the code once all output is out; what could not be printed makes a success a 5."""
    try:
        flush_all()
    except KitError as error:
        say(f"rageval-kit: {error}")
        return code or error.exit_code
    return code


def _routed(words: Sequence[str]) -> list[str]:
    """A first word with `=`, or beginning with `+`, `~` or `-`, belongs to `run`."""
    first = words[0] if words else ""
    _refuse_broken(words)
    if first in _CLICKS_OWN or not words:
        return list(words)
    if "=" in first or first.startswith(("+", "~", "-")):
        return ["run", *words]
    if first not in COMMANDS:
        from rageval_kit.build.shape import nearest

        raise click.UsageError(f"'{first}' is not a subcommand; {nearest(first, COMMANDS)}")
    return list(words)


def _refuse_broken(words: Sequence[str]) -> None:
    """Bytes that the locale cannot read cannot be compared, archived or shown either."""
    faults = [
        Fault(
            "command line",
            f"holds what is not {sys.getfilesystemencoding()}",
            ascii(word)[:80],
            "set PYTHONUTF8=1 (or a UTF-8 locale)",
        )
        for word in words
        if any("\ud800" <= char <= "\udfff" for char in word)
    ]
    if faults:
        raise InputError(faults)


def _click_message(error: click.ClickException) -> str:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    return f"rageval-kit: {one_line(error.format_message())}"


def tell(error: InputError) -> None:
    for fault in error.faults:
        say(f"rageval-kit: {one_line(str(fault))}")


def one_line(text: str) -> str:
    """Return a message on one line; what a terminal would obey or hide is shown as code points."""
    joined = "; ".join(line.strip() for line in text.splitlines() if line.strip())
    return "".join(
        char if char.isprintable() or category(char) == "Zs" else f"⟨U+{ord(char):04X}⟩"
        for char in joined
    )


def _no_folder() -> str:
    """Whatever failed, it failed because the folder was removed under us."""
    try:
        Path.cwd()
    except OSError:
        return "rageval-kit: the current folder no longer exists; change to another one"
    return ""


def crash_line(error: BaseException, log: Path | None) -> str:
    message = one_line(str(error))
    shown = f"{type(error).__name__}: {message}" if message else type(error).__name__
    kept = f"the trace is in {log}" if log else f"no trace could be kept ({_place(error)})"
    return f"rageval-kit: the kit failed with {shown}; {kept}"


def _place(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return ", ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in last)


def trace_log(error: BaseException, mask: "Mask | None" = None) -> Path | None:
    """Write the trace, masked, to a temporary file; None where there is no room for one."""
    text = "".join(traceback.format_exception(error))
    if mask is not None:
        text = mask.text(text)
    try:
        handle, name = tempfile.mkstemp(prefix="rageval-kit-", suffix=".log")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(text)
    except OSError:
        return None
    return Path(name)
