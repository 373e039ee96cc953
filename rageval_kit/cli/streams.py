"""Where does output go, and what if nobody reads it, or there is no room for it?

Printing never ends a run: a reader that left (`| head -1`) is let go, a missing stream is made up.
"""

import contextlib
import io
import os
import sys
from pathlib import Path
from typing import Literal, TextIO

from rageval_kit.records.faults import KitError


def open_all() -> None:
    """Give each of the three streams a place, and let a console show what it lacks as `?`."""
    _fill_descriptors()
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def say(line: str) -> None:
    """Print one line for people."""
    try:
        print(line, file=sys.stderr, flush=True)  # noqa: T201 - click.echo re-encodes by its own rules
    except (OSError, ValueError):
        let_go(sys.stderr)


def put(text: str = "", *, end: str = "\n") -> None:
    """Print to standard output; KitError if it takes nothing, nothing at all if nobody listens."""
    try:
        sys.stdout.write(text + end)
        sys.stdout.flush()
    except BrokenPipeError:
        let_go(sys.stdout)
    except (OSError, ValueError) as error:
        raise _refused(error) from error


def put_bytes(data: bytes) -> None:
    """As `put`, for what is UTF-8 whatever the console is."""
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        let_go(sys.stdout)
    except (OSError, ValueError) as error:
        raise _refused(error) from error


def flush_all() -> None:
    """Empty both streams while an error can still be told (the interpreter would only grumble)."""
    for stream in (sys.stderr, sys.stdout):
        try:
            stream.flush()
        except BrokenPipeError:
            let_go(stream)
        except (OSError, ValueError) as error:
            if stream is sys.stdout:
                raise _refused(error) from error
            let_go(stream)


def let_go(stream: TextIO) -> None:
    """Send what is left, and all that follows, nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _refused(error: Exception) -> KitError:
    let_go(sys.stdout)
    cause = getattr(error, "strerror", None) or str(error)
    return KitError(f"standard output: cannot be written: {cause}")


def _fill_descriptors() -> None:
    """A closed descriptor would be given to the next file opened: prints would land in it."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest that is free


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")
