"""Where are a generator's replies kept, so that they can be read again without asking?

Replies hold full text, so they never go into an archive: they lie in a folder of this machine, one
file for each generator and its settings, readable by its owner alone.
"""

import hashlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rageval_kit.answering.task import Generator, Task
from rageval_kit.records.faults import KitError
from rageval_kit.records.target import Instructed, Response, Seen, Stage

_NAME_LENGTH = 16


class Kept:
    """A generator whose usable replies are kept; the last of several for one key counts.

    `secret` is blanked, should an endpoint ever repeat it.
    """

    def __init__(self, generator: Generator, folder: str, secret: str = "") -> None:
        self._generator, self._secret = generator, secret
        told = json.dumps(dict(generator.describe()), sort_keys=True).encode("utf-8")
        name = hashlib.sha256(told).hexdigest()[:_NAME_LENGTH]
        self._shown = f"{folder.rstrip('/')}/{name}.jsonl"
        self.file = Path(self._shown).expanduser().absolute()
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        return self._generator.name

    @property
    def shows(self) -> frozenset[Stage]:
        return self._generator.shows

    @property
    def varies(self) -> bool:
        return self._generator.varies

    @property
    def concurrency(self) -> int:
        return self._generator.concurrency

    @property
    def prompt_canary(self) -> str:
        generator = self._generator
        return generator.prompt_canary if isinstance(generator, Instructed) else ""

    def connect(self) -> None:
        """See that there is room for the replies before any is paid for."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise _unwritable(self.file, error) from error
        self._append(b"")
        self._generator.connect()

    def generate(self, task: Task) -> Response:
        response = self._generator.generate(task)
        if not response.error:
            line = json.dumps(reply_line(task, response), ensure_ascii=False)
            kept = line.replace(self._secret, "***") if self._secret else line
            self._append(kept.encode("utf-8", "backslashreplace") + b"\n")
        return response

    def describe(self) -> Mapping[str, str]:
        return {**self._generator.describe(), "replies": self._shown}

    def close(self) -> None:
        self._generator.close()

    def _append(self, line: bytes) -> None:
        try:
            with self._lock:
                handle = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
                with os.fdopen(handle, "ab", buffering=0) as file:
                    file.write(line)
        except OSError as error:
            raise _unwritable(self.file, error) from error


def reply_line(task: Task, response: Response) -> dict[str, Any]:
    """One reply as generator=recorded reads it."""
    seen = response.seen
    cited, tools = seen.get(Stage.CITATION, Seen()), seen.get(Stage.TOOL, Seen())
    return {
        "key": task.key,
        "query": task.question,
        "principal": task.caller.principal_id,
        "answer": "\n".join(seen[Stage.ANSWER].texts) if Stage.ANSWER in seen else "",
        "citations": list(cited.ids),
        "sources": list(cited.texts),
        "tools": [{"name": call.name, "arguments": call.arguments} for call in tools.calls],
    }


def _unwritable(file: Path, error: OSError) -> KitError:
    way_out = "give generator.store another folder, or null to keep no replies"
    return KitError(f"{file}: replies cannot be kept ({error.strerror or error}); {way_out}")
