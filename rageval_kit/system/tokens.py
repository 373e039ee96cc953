"""Was this token issued here, for this use, to whoever presents it, and is it still good?

A token is its claims and a keyed digest of them, so that nobody else can make or mend one.
"""

import base64
import binascii
import hashlib
import hmac
import json
from dataclasses import astuple, dataclass
from datetime import datetime
from enum import StrEnum

from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.instants import micros


class Audience(StrEnum):
    """What a token is for: one for the one use is none for the other."""

    SEARCH = "search"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Claims:
    """`subject` is the session that a token keeps, or the passage that a link opens.

    `serial` tells the tokens of one session apart; `expires` is in microseconds, as all instants.
    """

    audience: str
    principal_id: str
    tenant_id: str
    subject: str
    serial: int
    expires: int


class Signer:
    """Signs claims and reads back what it signed."""

    def __init__(self, key: str) -> None:
        self._key = hashlib.blake2b(key.encode(), person=b"tokens").digest()

    def sign(self, claims: Claims) -> str:
        body = json.dumps(astuple(claims), ensure_ascii=False, separators=(",", ":")).encode()
        return f"{_written(body)}.{_written(self._digest(body))}"

    def read(self, token: str) -> Claims | None:
        """None for whatever was not signed here."""
        body, _, digest = token.partition(".")
        try:
            signed = base64.urlsafe_b64decode(body)
            is_own = hmac.compare_digest(self._digest(signed), base64.urlsafe_b64decode(digest))
        except (ValueError, binascii.Error):
            return None
        return Claims(*json.loads(signed)) if is_own else None

    def _digest(self, body: bytes) -> bytes:
        return hmac.digest(self._key, body, "sha256")


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode("ascii")


def is_good(
    claims: Claims, audience: Audience, principal_id: str, now: datetime, fault: AnyFault | None
) -> bool:
    """For this use, in the hands of whom it was made for, before its end."""
    if claims.audience != audience and fault is not DeputyFault.TOKEN_AUDIENCE_UNCHECKED:
        return False
    if claims.expires <= micros(now) and fault is not DeputyFault.TOKEN_EXPIRY_UNCHECKED:
        return False
    unbound = {
        Audience.SEARCH: DeputyFault.TOKEN_PRINCIPAL_UNCHECKED,
        Audience.OPEN: DeputyFault.LINK_NOT_BOUND,
    }
    return claims.principal_id == principal_id or fault is unbound[audience]
