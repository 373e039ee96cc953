"""By which names does the target know a call, so that none tells it what is being tested?

A name such as `ACL-01-00007:twin` would tell a target which calls to answer well.
"""

from hashlib import sha256

_DIGITS = 20


def case_name(case_id: str) -> str:
    return _opaque(case_id)


def session_name(case_id: str, session: str) -> str:
    """Sessions of one name stay one within their script; no session stays none."""
    return session and _opaque(case_id, "session", session)


def request_name(case_id: str, place: str, repeat: int = 0) -> str:
    """`place`: the step, and the part of it where it has several."""
    return _opaque(case_id, "request", place, str(repeat))


def _opaque(*names: str) -> str:
    return sha256("\x1f".join(names).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
