"""How is one HTTP call carried through: its timeouts, its retries, and the class of its failure?"""

import math
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from rageval_kit.endpoint.failures import RETRIED, of_exception, of_status
from rageval_kit.records.streams import python_stream
from rageval_kit.records.target import UNREACHED

if TYPE_CHECKING:
    import httpx2

# Retry-After of many workers must not send them back all at once.
_LEAST_SPREAD_S = 2.0
_SPREAD = 0.25
_MOST_BACKOFF_S = 30.0
# After so many calls in a row that reached nobody, further ones are tried once each.
_GIVEN_UP_AFTER = 12
_RETRY_AFTER = frozenset({429, 503})
# Of a reply that is not used so much of the body is kept, and of any so much of its headers.
_KEPT_BYTES = 1024 * 1024
_KEPT_HEADERS, _KEPT_VALUE = 256, 16 * 1024


@dataclass(frozen=True, slots=True)
class Message:
    """One request as it goes out; `name` seeds its retry times and is not sent."""

    name: str
    method: str
    url: str
    headers: tuple[tuple[str, bytes], ...] = ()
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """`error` empty: a usable reply. `waited_s` was spent between attempts, not by the target.

    `headers`: their values. `earlier`: what came back of attempts before this one.
    """

    status: int = 0
    body: bytes = b""
    error: str = ""
    detail: str = ""
    latency_s: float = 0.0
    attempts: int = 1
    waited_s: float = 0.0
    retry_after_s: float | None = None
    headers: tuple[str, ...] = ()
    earlier: tuple["Reply", ...] = ()


@dataclass(frozen=True, slots=True)
class Patience:
    """`deadline_s` holds for a whole call, retries and waits included."""

    connect_s: float = 5.0
    idle_s: float = 30.0
    deadline_s: float = 60.0
    retries: int = 3
    backoff_s: float = 0.5
    max_reply_bytes: int = 16 * 1024 * 1024


class Client:
    """One connection pool for all workers. `clock` and `pause` are given by tests alone."""

    def __init__(
        self,
        patience: Patience,
        http: "httpx2.Client",
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        self.patience = patience
        self._http = http
        self._clock = clock
        self._stopped = threading.Event()
        self._pause: Callable[[float], object] = pause or self._stopped.wait
        self._unreached = 0

    def close(self) -> None:
        """End every wait; nothing is sent any more."""
        self._stopped.set()
        self._http.close()

    def call(
        self, message: Message, *, retries: int | None = None, deadline_s: float | None = None
    ) -> Reply:
        """Send until there is a reply that no retry would better, or patience ends."""
        end = self._clock() + (self.patience.deadline_s if deadline_s is None else deadline_s)
        tries = 1 + (self.patience.retries if retries is None else retries)
        chance = python_stream(0, "retry", message.name)
        waited = 0.0
        earlier: list[Reply] = []
        for attempt in range(1, tries + 1):
            reply = self._once(message, end)
            more = attempt < tries and self._unreached < _GIVEN_UP_AFTER
            if reply.error not in RETRIED or not more or self._stopped.is_set():
                break
            wait = self._wait_s(attempt, reply.retry_after_s, chance)
            if self._clock() + wait >= end:
                said = f"the next try was {wait:.1f} s away, past the deadline"
                reply = replace(reply, detail=_joined(reply.detail, said))
                break
            self._pause(wait)
            waited += wait
            if reply.status:
                earlier.append(replace(reply, body=reply.body[:_KEPT_BYTES]))
        if attempt > 1:
            said = f"{attempt} attempts, waited {waited:.1f} s"
            reply = replace(reply, detail=_joined(reply.detail, said) if reply.error else "")
        return replace(reply, attempts=attempt, waited_s=waited, earlier=tuple(earlier))

    def _wait_s(self, attempt: int, retry_after_s: float | None, chance: random.Random) -> float:
        if retry_after_s is not None:
            return retry_after_s + chance.uniform(0, max(_LEAST_SPREAD_S, _SPREAD * retry_after_s))
        backoff = min(_MOST_BACKOFF_S, self.patience.backoff_s * 2.0 ** (attempt - 1))
        return backoff * chance.uniform(0.5, 1.5)

    def _once(self, message: Message, end: float) -> Reply:
        import httpx2

        started = self._clock()
        if self._stopped.is_set() or started >= end:
            return Reply(error="timeout", detail="no time was left to ask")
        left = end - started
        patience = self.patience
        timeout = httpx2.Timeout(
            min(patience.idle_s, left), connect=min(patience.connect_s, left), pool=left
        )
        request = self._http.build_request(
            message.method,
            message.url,
            headers=[(name.encode("ascii"), value) for name, value in message.headers],
            content=message.content,
            timeout=timeout,
        )
        begun, body = Reply(), bytearray()
        try:
            response = self._http.send(request, stream=True)
            begun = Reply(response.status_code, headers=_values(response.headers))
            try:
                reply = self._read(response, body, end)
            finally:
                response.close()
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, RuntimeError) as error:
            late, reading = self._clock() >= end, bool(begun.status)
            error_class, detail = of_exception(error, reading=reading, late=late)
            reply = Reply(body=bytes(body[:_KEPT_BYTES]), error=error_class, detail=detail)
        self._unreached = self._unreached + 1 if reply.error in UNREACHED else 0
        return replace(
            reply,
            status=begun.status,
            headers=begun.headers,
            latency_s=self._clock() - started,
        )

    def _read(self, response: "httpx2.Response", body: bytearray, end: float) -> Reply:
        """Read into `body`, which keeps what came though the rest does not."""
        status = response.status_code
        limit = self.patience.max_reply_bytes
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > limit:
                detail = f"more than {limit} bytes"
                return Reply(status, bytes(body[:_KEPT_BYTES]), "too_large", detail)
            if self._clock() >= end:
                detail = "the reply had not ended in time"
                return Reply(status, bytes(body[:_KEPT_BYTES]), "timeout", detail)
        error_class, detail = of_status(status)
        after = _retry_after_s(response.headers) if status in _RETRY_AFTER else None
        if after is not None:
            detail = _joined(detail, f"asks to wait {after:g} s")
        return Reply(status, bytes(body), error_class, detail, retry_after_s=after)


def _values(headers: "httpx2.Headers") -> tuple[str, ...]:
    """As UTF-8, which servers send though headers should be ASCII."""
    values = [value[:_KEPT_VALUE] for _, value in headers.raw[:_KEPT_HEADERS]]
    return tuple(value.decode("utf-8", "replace") for value in values)


def _retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait; a date counts from the reply's own Date, not from this machine's clock."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit():
        return float(text[:9])
    then, now = _date(text), _date(headers.get("date", ""))
    if then is None or now is None:
        return None
    seconds = (then - now).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _date(text: str) -> datetime | None:
    try:
        read = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    return read if read.tzinfo is not None else None


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
