"""How does a person see that a run goes on: one changing line, or a plain line now and then?"""

import sys
import time
from collections.abc import Callable
from typing import Protocol, TextIO

from rageval_kit.cli.streams import let_go


class Progress(Protocol):
    """What the run reports to; `done` and `errors` are added to what was there."""

    def start(self, total: int) -> None: ...
    def advance(self, done: int, errors: int = 0) -> None: ...
    def finish(self) -> None: ...


class Quiet:
    """A Progress that shows nothing."""

    def start(self, total: int) -> None: ...
    def advance(self, done: int, errors: int = 0) -> None: ...
    def finish(self) -> None: ...


class LineProgress:
    """On a terminal one line is rewritten (at most ten times a second), elsewhere lines follow."""

    def __init__(
        self,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        every_s: float = 5.0,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._terminal = self._stream.isatty()
        self._every = 0.1 if self._terminal else every_s
        self._total = self._done = self._errors = self._width = 0
        self._began = self._shown = 0.0

    def start(self, total: int) -> None:
        self._total, self._done, self._errors = total, 0, 0
        self._began = self._shown = self._clock()

    def advance(self, done: int, errors: int = 0) -> None:
        self._done += done
        self._errors += errors
        now = self._clock()
        if now - self._shown >= self._every:
            self._shown = now
            self._show(self.line(now))

    def finish(self) -> None:
        """Leave the terminal as it was: the summary that follows says all there is to say."""
        if self._terminal and self._width:
            self._write("\r" + " " * self._width + "\r")
        self._width = 0

    def line(self, now: float) -> str:
        """Return `12/40 · 1 error · 3.0/s · 0:09 left`."""
        parts = [f"{self._done:,}/{self._total:,}"]
        if self._errors:
            parts.append(f"{self._errors:,} error{'s' if self._errors > 1 else ''}")
        passed = now - self._began
        if passed > 0 and self._done:
            rate = self._done / passed
            left = max(0, round((self._total - self._done) / rate))
            parts.append(f"{rate:,.1f}/s" if rate < 100 else f"{rate:,.0f}/s")  # noqa: PLR2004
            parts.append(f"{left // 60}:{left % 60:02d} left")
        return " · ".join(parts)

    def _show(self, line: str) -> None:
        if self._terminal:
            blank = " " * max(0, self._width - len(line))
            self._write(f"\r{line}{blank}")
            self._width = len(line)
        else:
            self._write(line + "\n")

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):  # nobody reads it any more: the run goes on
            let_go(self._stream)
