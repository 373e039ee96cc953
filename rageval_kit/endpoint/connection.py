"""How is the connection pool opened, so that nothing goes where nobody sent it?"""

import ssl
from collections.abc import Sequence
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Protocol
from urllib.parse import urlsplit

from rageval_kit.endpoint.calls import Client, Message, Patience
from rageval_kit.records.faults import InputError, TargetError
from rageval_kit.records.target import UNREACHED

_MIB = 1024 * 1024
_REACH_S = 10.0


class Connects(Protocol):
    """What a configuration says of its connections; `addresses` are all that may be called."""

    @property
    def concurrency(self) -> int: ...
    @property
    def connect_timeout_s(self) -> float: ...
    @property
    def idle_timeout_s(self) -> float: ...
    @property
    def deadline_s(self) -> float: ...
    @property
    def retries(self) -> int: ...
    @property
    def backoff_s(self) -> float: ...
    @property
    def max_reply_mb(self) -> float: ...
    @property
    def proxy(self) -> str | None: ...
    @property
    def ca_file(self) -> str | None: ...
    def addresses(self) -> Sequence[str]: ...


def check_installed(where: str = "retriever", kind: str = "http") -> None:
    """Refuse before anything is run where the extra [http] is missing."""
    try:
        import httpx2  # noqa: F401 - asked only whether it is there
    except ImportError as error:
        problem, way_out = "needs httpx2", "pip install 'rageval-kit[http]'"
        raise InputError.one(f"{where}.kind", problem, f"'{kind}'", way_out) from error


def knock(client: Client, url: str, way_out: str) -> None:
    """See that somebody listens at an address; what is answered there does not matter yet.

    On a connection of its own: a server that closes after it would take the first question down
    with the connection.
    """
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    message = Message("reach", "HEAD", origin, (("Connection", b"close"),))
    reply = client.call(message, deadline_s=_REACH_S)
    if reply.error in UNREACHED:
        raise TargetError(f"{origin} cannot be reached: {reply.error}, {reply.detail}; {way_out}")


def open_client(config: Connects, where: str = "retriever") -> Client:
    """One pool for all workers.

    It keeps no cookies: one reader's session must not answer for another. It reads no proxy, no
    certificate and no password from the environment, and follows no redirect.
    """
    import httpx2

    http = httpx2.Client(
        headers={"User-Agent": "rageval-kit", "Accept-Encoding": "identity"},
        cookies=CookieJar(policy=DefaultCookiePolicy(allowed_domains=[])),
        trust_env=False,
        proxy=config.proxy,
        verify=_trust(config, where),
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=None, max_keepalive_connections=config.concurrency),
    )
    patience = Patience(
        connect_s=config.connect_timeout_s,
        idle_s=config.idle_timeout_s,
        deadline_s=config.deadline_s,
        retries=config.retries,
        backoff_s=config.backoff_s,
        max_reply_bytes=int(config.max_reply_mb * _MIB),
    )
    return Client(patience, http)


def _trust(config: Connects, where: str) -> bool | ssl.SSLContext:
    """The usual certificates, those of `ca_file`, or, where no address is https, none at all."""
    if config.ca_file is None:
        if any(url.startswith("https:") for url in config.addresses()):
            return True
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # trusts nobody; reading them takes a while
    try:
        return ssl.create_default_context(cafile=config.ca_file)
    except (OSError, ssl.SSLError) as error:
        problem = f"is no file of certificates ({type(error).__name__})"
        raise InputError.one(f"{where}.ca_file", problem, config.ca_file) from error
