"""To which class does a failed HTTP call belong?

Details name kinds and numbers only. Neither a reply's text nor a header reaches them: they are
archived, and both may hold what nobody should read there.
"""

import errno
import socket
import ssl
from collections.abc import Iterator
from http import HTTPStatus

from rageval_kit.records.target import UNREACHED

RATE_LIMITED = "rate_limited"
RETRIED = UNREACHED | {"timeout", "reset", RATE_LIMITED, "http_502", "http_503", "http_504"}

_NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EHOSTDOWN})
_OK, _REDIRECT, _CLIENT_ERROR = 200, 300, 400


def of_status(status: int) -> tuple[str, str]:
    """('', '') for a status that carries a reply; its class and its words otherwise."""
    if _OK <= status < _REDIRECT:
        return "", ""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RATE_LIMITED, "HTTP 429"
    if _REDIRECT <= status < _CLIENT_ERROR:
        detail = "redirects are not followed; give the final address"
    else:
        detail = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""
    return f"http_{status}", detail


def of_exception(  # noqa: PLR0911 - one return for each class
    error: BaseException, *, reading: bool, late: bool
) -> tuple[str, str]:
    """`reading`: the head of the reply was there. `late`: the deadline had passed."""
    import httpx2

    if isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.ProxyError):
        return _no_connection(error)
    if isinstance(error, httpx2.TimeoutException):
        if late or not reading:
            return "timeout", "no reply in time"
        return "timeout_idle", "the reply began and then stood still"
    if isinstance(error, httpx2.DecodingError):
        return "unparsable", "the reply's Content-Encoding does not fit its bytes"
    if isinstance(
        error, httpx2.LocalProtocolError | httpx2.InvalidURL | httpx2.UnsupportedProtocol
    ):
        return "unsendable", f"{type(error).__name__}"
    if isinstance(error, httpx2.TransportError):
        return "reset", f"the connection broke off ({type(error).__name__})"
    return "adapter", type(error).__name__


def _no_connection(  # noqa: PLR0911 - one return for each cause
    error: BaseException,
) -> tuple[str, str]:
    import httpx2

    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return "refused", "nothing listens there"
        if isinstance(cause, socket.gaierror):
            return "dns", "the host's name has no address"
        if isinstance(cause, ssl.SSLCertVerificationError):
            return "connect", f"TLS: {cause.verify_message}; see retriever.ca_file"
        if isinstance(cause, ssl.SSLError):
            return "connect", f"TLS: {cause.reason}"
        if isinstance(cause, OSError) and cause.errno in _NO_ROUTE:
            return "unreachable", "there is no route to the host"
    if isinstance(error, httpx2.ConnectTimeout):
        return "connect", "no connection in time"
    return "connect", type(error).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over an exception and what it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
