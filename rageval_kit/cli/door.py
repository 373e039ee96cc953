"""Where does a command line go, and how does whatever goes wrong become one exit code?"""

import io
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
from rageval_kit.records.faults import InputError, KitError

if TYPE_CHECKING:
    from rageval_kit.archive.masking import Mask

USAGE, CRASH, INTERRUPTED = 2, 5, 130
_CLICKS_OWN = frozenset({"-h", "--help", "--version"})


def start(words: Sequence[str]) -> int:  # noqa: PLR0911 - one return for each ending
    """Return the exit code of a command line; nothing leaves this function as an exception."""
    _print_anything()
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
    except BrokenPipeError:
        # The reader of a pipe (head, say) left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001 - the door: nobody is shown a stack trace
        say(crash_line(error, trace_log(error)))
        return CRASH
    return result if isinstance(result, int) else 0


def _routed(words: Sequence[str]) -> list[str]:
    """A first word with `=`, or beginning with `+`, `~` or `-`, belongs to `run`."""
    first = words[0] if words else ""
    if first in _CLICKS_OWN or not words:
        return list(words)
    if "=" in first or first.startswith(("+", "~", "-")):
        return ["run", *words]
    if first not in COMMANDS:
        from rageval_kit.build.shape import nearest

        raise click.UsageError(f"'{first}' is not a subcommand; {nearest(first, COMMANDS)}")
    return list(words)


def _print_anything() -> None:
    """Let a console that lacks a character show another one instead of ending the run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _click_message(error: click.ClickException) -> str:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error.format_message()
    return f"rageval-kit: {one_line(error.format_message())}"


def say(line: str) -> None:
    """Print one line for people."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - click.echo re-encodes by its own rules


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


def crash_line(error: BaseException, log: Path) -> str:
    message = one_line(str(error))
    shown = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"rageval-kit: the kit failed with {shown}; the trace is in {log}"


def trace_log(error: BaseException, folder: Path | None = None, mask: "Mask | None" = None) -> Path:
    """Write the trace, masked, to `folder/error.log`, or to a temporary file."""
    text = "".join(traceback.format_exception(error))
    if mask is not None:
        text = mask.text(text)
    if folder is not None and folder.is_dir() and not (folder / "manifest.json").exists():
        log = folder / "error.log"
        log.write_text(text, encoding="utf-8")
        return log
    handle, name = tempfile.mkstemp(prefix="rageval-kit-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    return Path(name)
