"""What does a pattern from a stranger find in a text, in bounded time whatever it is?

A pattern can be made to backtrack for ever, and no thread can stop it; so it runs in a process of
its own (this file, started as a program), which is ended when one text takes too long.
"""

import json
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO

from rageval_kit.records.faults import InputError

GROUP = "date"
LIMIT_S = 3.0
_START_S = 60.0  # starting an interpreter says nothing about the pattern

Find = Callable[[str], str | None]


@contextmanager
def open_matcher(pattern: str, option: str, limit_s: float = LIMIT_S) -> Iterator[Find]:
    """Give a function that tells what the group `date` of the first match in a text holds, or None.

    `option` is how the pattern was given, for the error that names it. Letters match in either
    case, ^ and $ at every line.
    """
    with subprocess.Popen(  # noqa: S603 - our own module; -P: nothing of the current folder
        [sys.executable, "-P", "-m", __spec__.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        asked, told = process.stdin, process.stdout
        if asked is None or told is None:
            raise OSError("a process was started without its pipes")
        replies: queue.Queue[bytes] = queue.Queue()
        listener = threading.Thread(target=_listen, args=(told, replies), daemon=True)
        listener.start()

        def reply(limit: float) -> str | None:
            try:
                line = replies.get(timeout=limit)
            except queue.Empty:
                problem = f"did not end within {limit:.0f} seconds on one text"
                way_out = "write it without one repetition inside another, as in (a+)+"
                raise InputError.one(option, problem, repr(pattern), way_out) from None
            if not line:
                problem, way_out = "ended the process that tried it", "write a smaller one"
                raise InputError.one(option, problem, repr(pattern), way_out)
            value: str | None = json.loads(line)
            return value

        def find(text: str) -> str | None:
            with suppress(OSError):  # that it ended is told by what it does not reply
                asked.write(json.dumps(text).encode() + b"\n")
                asked.flush()
            return reply(limit_s)

        try:
            reply(_START_S)
            problem = find(pattern)
            if problem:
                way_out = f"write a regular expression with one group (?P<{GROUP}>…)"
                raise InputError.one(option, f"cannot be used: {problem}", repr(pattern), way_out)
            yield find
        finally:
            process.kill()
            listener.join()
            with suppress(OSError):
                asked.close()


def _listen(stream: IO[bytes], replies: "queue.Queue[bytes]") -> None:
    for line in stream:
        replies.put(line)
    replies.put(b"")


def _compiled(pattern: str) -> tuple[re.Pattern[str] | None, str]:
    try:
        compiled = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        return None, str(error) or type(error).__name__
    if GROUP not in compiled.groupindex:
        return None, f"it has no group named {GROUP}"
    return compiled, ""


def main() -> None:
    """Read the pattern, then text after text, one JSON string a line; answer each in one line."""

    def tell(reply: str | None) -> None:
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()

    tell("")
    compiled, problem = _compiled(json.loads(sys.stdin.readline()))
    tell(problem)
    if compiled is not None:
        for line in sys.stdin:
            match = compiled.search(json.loads(line))
            tell(match.group(GROUP) if match else None)


if __name__ == "__main__":
    main()
