"""Which bytes does a signature in a DSSE envelope stand for, and how is an envelope written?

https://github.com/secure-systems-lab/dsse, version 1: the signature is over the pre-authentication
encoding of the payload and its type, never over JSON, so nothing has to be made canonical.
"""

import base64
import binascii
from dataclasses import dataclass

import msgspec

from rageval_kit.records.faults import InputError

PAYLOAD_TYPE = "application/vnd.in-toto+json"
MAX_ENVELOPE_BYTES = 16 * 1024**2


@dataclass(frozen=True, slots=True)
class Signature:
    """`sig` in base64; `keyid` is a hint which key to try, and proves nothing."""

    sig: str
    keyid: str = ""

    @property
    def raw(self) -> bytes:
        return _decoded(self.sig)


@dataclass(frozen=True, slots=True)
class Envelope:
    """`payload` in base64. Fields that other tools add are passed over."""

    payload: str
    payloadType: str  # noqa: N815 - the standard's own name
    signatures: tuple[Signature, ...]

    @property
    def message(self) -> bytes:
        """What every signature of this envelope must be over."""
        return pae(self.payloadType, self.body)

    @property
    def body(self) -> bytes:
        return _decoded(self.payload)


def pae(payload_type: str, body: bytes) -> bytes:
    """The pre-authentication encoding: no pair of type and body shares it with another."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def enveloped(body: bytes, signatures: tuple[Signature, ...]) -> Envelope:
    return Envelope(base64.b64encode(body).decode(), PAYLOAD_TYPE, signatures)


def write_envelope(envelope: Envelope) -> bytes:
    packed = msgspec.json.encode(envelope, order="sorted")
    return msgspec.json.format(packed, indent=1) + b"\n"


def read_envelope(data: bytes, where: str) -> Envelope:
    """The envelope in `data`; InputError where it is none, or its payload is not one of ours."""
    try:
        envelope = msgspec.json.decode(data, type=Envelope)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError.one(where, "is not a DSSE envelope", str(error)) from error
    if envelope.payloadType != PAYLOAD_TYPE:
        raise InputError.one(where, "signs another type of payload", ascii(envelope.payloadType))
    if not envelope.signatures:
        raise InputError.one(where, "carries no signature")
    try:
        for text in (envelope.payload, *(one.sig for one in envelope.signatures)):
            _decoded(text)
    except binascii.Error as error:
        raise InputError.one(where, "holds what is not base64", str(error)) from error
    return envelope


def _decoded(text: str) -> bytes:
    """Standard or URL-safe base64: the standard lets a signer choose."""
    return base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
