"""What does the system write down about a request, for its operator to read?"""

import hmac
import threading
from collections import deque
from collections.abc import Sequence


class Journal:
    """Lines with the request's id, a keyed hash of the query, its words and hits counted: no text.

    A handle that is opened has no words.
    """

    def __init__(self, key: str, most_lines: int) -> None:
        self._key = key.encode()
        self._lines: deque[str] = deque(maxlen=most_lines)
        self._lock = threading.Lock()

    def write(
        self,
        request_id: str,
        action: str,
        query: str,
        hits: int,
        more: Sequence[str] = (),
        *,
        words: int | None = None,
    ) -> None:
        digest = hmac.new(self._key, query.encode(), "sha256").hexdigest()[:16]
        counted = "" if words is None else f" words={words}"
        line = f"request={request_id} action={action} query={digest}{counted} hits={hits}"
        with self._lock:
            self._lines.append(line)
            self._lines.extend(more)

    def note(self, lines: Sequence[str]) -> None:
        """Lines as they are; a clean system notes none."""
        with self._lock:
            self._lines.extend(lines)

    def lines(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._lines)

    def clear(self) -> None:
        with self._lock:
            self._lines.clear()
