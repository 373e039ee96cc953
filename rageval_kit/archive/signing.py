"""Who vouches for this archive, and is that what they signed?

The manifest names every file, so one signature over the digest of the manifest covers all of them.
It stands beside the manifest, which cannot list it: an in-toto statement in a DSSE envelope whose
first subject is the manifest. Ed25519 alone; a key is named by the sha-256 of its public half.
"""

import base64
import contextlib
import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rageval_kit.archive.canonical import canonical
from rageval_kit.archive.dsse import (
    MAX_ENVELOPE_BYTES,
    PAYLOAD_TYPE,
    Envelope,
    Signature,
    enveloped,
    pae,
    read_envelope,
    write_envelope,
)
from rageval_kit.archive.files import as_kit_error, open_regular, write_atomic, write_new
from rageval_kit.archive.folder import MANIFEST, SIGNATURE
from rageval_kit.records.faults import Fault, InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

STATEMENT_FILE = "statement.intoto.json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PASSWORD_VARIABLE = "RAGEVAL_SIGN_PASSWORD"  # noqa: S105 - the name of a variable, no password
_MAX_KEY_BYTES = 64 * 1024

Sign = Callable[[Path, bytes], bytes]


def generate(path: Path) -> str:
    """Make a key pair: `path` for its owner alone, `path.pub` for everybody; returns the key id.

    With a password in `$RAGEVAL_SIGN_PASSWORD` the private half is encrypted. Neither file is
    written over.
    """
    _need()
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public_path = path.with_name(f"{path.name}.pub")
    taken = [one for one in (path, public_path) if one.exists() or one.is_symlink()]
    if taken:
        raise InputError([Fault(str(one), "exists already", "", "name another") for one in taken])
    key = Ed25519PrivateKey.generate()
    password = _password()
    locked = (
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption()
    )
    encoding, pkcs8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    public = key.public_key().public_bytes(
        encoding, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    with as_kit_error(path, "the key cannot be written"):
        write_new(path, key.private_bytes(encoding, pkcs8, locked), 0o600)
        write_new(public_path, public)
    return key_id(key.public_key())


def private_key(path: Path) -> "Ed25519PrivateKey":
    """The Ed25519 key of a PEM file (PKCS#8), opened with `$RAGEVAL_SIGN_PASSWORD` if encrypted."""
    _need()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    where, data = f"signing key {path}", _pem(path)
    try:
        key = serialization.load_pem_private_key(data, _password())
    except TypeError as error:
        given = _password() is not None
        way_out = f"unset {PASSWORD_VARIABLE}" if given else f"set {PASSWORD_VARIABLE}"
        problem = "is not encrypted, yet a password is set" if given else "is encrypted"
        raise InputError.one(where, problem, "", way_out) from error
    except (ValueError, UnsupportedAlgorithm) as error:
        problem = "is no private key in PEM, or the password is another"
        raise InputError.one(where, problem, "", "rageval-kit keygen makes one") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError.one(where, "is not an Ed25519 key", type(key).__name__.lstrip("_"))
    return key


def public_key(path: Path) -> "Ed25519PublicKey":
    """The Ed25519 key of a PEM file (SubjectPublicKeyInfo)."""
    _need()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    where, data = f"public key {path}", _pem(path)
    try:
        key = serialization.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        way_out = "give the public half: openssl pkey -in KEY.pem -pubout"
        raise InputError.one(where, "is no public key in PEM", "", way_out) from error
    if not isinstance(key, Ed25519PublicKey):
        raise InputError.one(where, "is not an Ed25519 key", type(key).__name__.lstrip("_"))
    return key


def key_id(key: "Ed25519PublicKey") -> str:
    """The sha-256 of the key's SubjectPublicKeyInfo in DER, as `openssl pkey -pubin -outform DER`.

    Of the bytes, not of the file: another PEM of the same key has the same id.
    """
    from cryptography.hazmat.primitives import serialization

    der = key.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return hashlib.sha256(der).hexdigest()


def signer(key: "Ed25519PrivateKey") -> Sign:
    """What sealing calls: (folder, manifest) to the bytes of a signed envelope."""

    def sign(folder: Path, manifest: bytes) -> bytes:
        body = canonical(_statement(folder, hashlib.sha256(manifest).hexdigest()))
        return write_envelope(enveloped(body, (_signature(key, pae(PAYLOAD_TYPE, body)),)))

    return sign


def sign_sealed(folder: Path, key: "Ed25519PrivateKey") -> tuple[str, ...]:
    """Sign an archive that was sealed before; the ids of all keys that have signed it now.

    A second signer signs the very statement of the first. The archive must be intact: see verify.
    """
    manifest = _read(folder / MANIFEST)
    path = folder / SIGNATURE
    if not path.exists():
        data = signer(key)(folder, manifest)
        with as_kit_error(path, "cannot be written"):
            write_new(path, data)
        return (key_id(key.public_key()),)
    envelope = read_envelope(_read(path), str(path))
    stale = speaks_of(envelope, hashlib.sha256(manifest).hexdigest())
    if stale:
        raise InputError.one(str(path), stale, "", "remove it to sign afresh")
    own = _signature(key, envelope.message)
    if own not in envelope.signatures:
        envelope = replace(envelope, signatures=(*envelope.signatures, own))
        with as_kit_error(path, "cannot be written"):
            write_atomic(path, write_envelope(envelope))
    return tuple(one.keyid for one in envelope.signatures)


def speaks_of(envelope: Envelope, root: str) -> str:
    """'' where the payload is a statement about this root digest, else what it is instead."""
    try:
        statement: Any = msgspec.json.decode(envelope.body)
        subjects = [(one["name"], one["digest"].get("sha256")) for one in statement["subject"]]
        kind = statement["_type"]
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "signs what is not JSON"
    except (KeyError, TypeError, AttributeError):
        return "signs what is not an in-toto statement"
    if kind != STATEMENT_TYPE:
        return f"signs a statement of another type: {ascii(kind)[:80]}"
    if (MANIFEST, root) not in subjects:
        return "signs another manifest than the one beside it"
    return ""


def is_by(envelope: Envelope, key: "Ed25519PublicKey") -> bool:
    """Is one of the signatures by this key? Every one is tried: a key id is a hint only."""
    from cryptography.exceptions import InvalidSignature

    for one in envelope.signatures:
        with contextlib.suppress(InvalidSignature):
            key.verify(one.raw, envelope.message)
            return True
    return False


def problems_of(
    folder: Path, root: str, keys: Sequence["Ed25519PublicKey"]
) -> tuple[tuple[str, ...], list[str]]:
    """The ids that the envelope names, and what is wrong with it; each of `keys` must have signed.

    An archive without an envelope is at fault only where a key says that one was expected.
    """
    path = folder / SIGNATURE
    if not path.exists() and not path.is_symlink():
        return (), [f"{SIGNATURE}: missing: the archive is not signed"] if keys else []
    try:
        envelope = read_envelope(_read(path), SIGNATURE)
    except InputError as error:
        return (), [str(fault) for fault in error.faults]
    named = tuple(one.keyid if one.keyid.isprintable() else "" for one in envelope.signatures)
    stale = speaks_of(envelope, root)
    if stale:
        return named, [f"{SIGNATURE}: {stale}"]
    lacking = [key_id(key) for key in keys if not is_by(envelope, key)]
    named_there = ", ".join(one[:16] or "a key without an id" for one in named)
    return named, [
        f"{SIGNATURE}: no valid signature by key {one}"
        + (
            ": the payload or the signature was changed"
            if one in named
            else f" (it names {named_there})"
        )
        for one in lacking
    ]


def _statement(folder: Path, root: str) -> dict[str, Any]:
    """The archive's own statement, with the manifest as its first subject."""
    path = folder / STATEMENT_FILE
    if not path.is_file():
        raise InputError.one(str(path), "is not in the archive", "", "there is nothing to sign")
    try:
        statement = msgspec.json.decode(_read(path), type=dict[str, Any])
        others = list(statement["subject"])
    except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise InputError.one(str(path), "is not an in-toto statement", str(error)) from error
    manifest = {"name": MANIFEST, "digest": {"sha256": root}}
    return {**statement, "subject": [manifest, *others]}


def _signature(key: "Ed25519PrivateKey", message: bytes) -> Signature:
    sig = base64.b64encode(key.sign(message)).decode()
    return Signature(sig, key_id(key.public_key()))


def _password() -> bytes | None:
    return os.environ.get(PASSWORD_VARIABLE, "").encode() or None


def _pem(path: Path) -> bytes:
    if not path.is_file():
        raise InputError.one(f"key {path}", "is not a file", "", "rageval-kit keygen makes one")
    with as_kit_error(path, "the key cannot be read"), path.open("rb") as file:
        return file.read(_MAX_KEY_BYTES)


def _read(path: Path) -> bytes:
    with as_kit_error(path, "cannot be read"), open_regular(path) as file:
        data = file.read(MAX_ENVELOPE_BYTES + 1)
    if len(data) > MAX_ENVELOPE_BYTES:
        raise InputError.one(str(path), "is too large", f"over {MAX_ENVELOPE_BYTES} bytes")
    return data


def _need() -> None:
    try:
        import cryptography.hazmat.primitives.asymmetric.ed25519  # noqa: F401 - asked whether it is there
    except ImportError as error:
        raise InputError.lacking("signing", "sign") from error
