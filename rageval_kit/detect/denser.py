"""Which text stands in base32, in either base85, or compressed inside another encoding?"""

import re
import zlib
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

INFLATED_MOST = 65_536  # bytes: a small blob must not become a large text
# How zlib begins, and gzip with what its flags announce: further fields, a name, a remark, a sum.
_PACKED = re.compile(rb"x[\x01\x5e\x9c\xda]|\x1f\x8b\x08(?P<flags>[\x00-\x1f]).{6}", re.DOTALL)
_EXTRA, _NAME, _REMARK, _SUM = 4, 8, 16, 2
_MOST_PACKED = 4  # in one blob: two bytes alone are met by chance
_SHORTEST = 20  # of a blob in base32: shorter ones are words
_BASE32 = re.compile(rf"[A-Z2-7]{{{_SHORTEST},}}|[a-z2-7]{{{_SHORTEST},}}")
_RFC1924 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
_ADOBE = "".join(map(chr, range(0x21, 0x76)))
_RARE = re.compile(r"[^\w\-./:+=]")  # none in ids, paths and base64; in a blob, every fifth
_SHORT = 64  # of a word that is read whatever its signs: there is little to read
_POWERS = 85 ** np.arange(4, -1, -1, dtype=np.int64)


def _table(alphabet: str) -> NDArray[np.int64]:
    table = np.full(128, -1, np.int64)
    table[[ord(char) for char in alphabet]] = np.arange(len(alphabet))
    return table


_OF_32 = _table("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").astype(np.uint8)
_SPELT = tuple(
    (re.compile(f"[{re.escape(alphabet)}]{{15,}}"), _table(alphabet))
    for alphabet in (_RFC1924, _ADOBE)
)


def base32(text: str, _kinds: NDArray[np.uint8], least: int) -> Iterator[str]:
    """Upper or lower case, with or without padding, at eight alignments."""
    parts = []
    for blob in _BASE32.findall(text):
        if len(blob) * 5 >= least * 8:
            values = _OF_32[np.frombuffer(blob.upper().encode("ascii"), np.uint8)]
            bits = np.unpackbits(values[:, None], axis=1)[:, 3:].ravel()
            for start in range(0, 40, 5):
                raw = np.packbits(bits[start : len(bits) - (len(bits) - start) % 8]).tobytes()
                parts.append(raw.decode("utf-8", "replace"))
    if parts:
        yield " ".join(parts)


def base85(text: str, _kinds: NDArray[np.uint8], least: int) -> Iterator[str]:
    """The alphabets of RFC 1924 and of Adobe, at five alignments."""
    words = {word for word in text.split() if len(word) <= _SHORT}
    parts = [
        _of_85(blob[offset:], table)
        for spelt, table in _SPELT
        for blob in spelt.findall(text)
        if len(blob) * 4 >= least * 5 and (blob in words or _RARE.search(blob))
        for offset in range(5)
    ]
    if parts:
        yield " ".join(parts)


def _of_85(blob: str, table: NDArray[np.int64]) -> str:
    values = table[np.frombuffer(blob.encode("ascii"), np.uint8)]
    lacking = -len(values) % 5
    values = np.concatenate((values, np.full(lacking, 84)))
    groups = (values.reshape(-1, 5) @ _POWERS) & 0xFFFFFFFF
    raw = groups.astype(">u4").tobytes()
    return raw[: len(raw) - lacking].decode("utf-8", "replace")


def inflated(raw: bytes, most: int = INFLATED_MOST) -> Iterator[bytes]:
    """What zlib or gzip packed, wherever it begins, as far as it goes and whatever its checksum.

    Together no more than `most` bytes.
    """
    for found in islice(_PACKED.finditer(raw), _MOST_PACKED):
        if most <= 0:
            return
        try:
            stream = zlib.decompressobj(-zlib.MAX_WBITS)
            told = stream.decompress(raw[_body(raw, found) :], most)
        except zlib.error:
            continue
        most -= len(told)
        yield told


def _body(raw: bytes, found: re.Match[bytes]) -> int:
    """Where what is packed begins, after the fields of a gzip header (RFC 1952)."""
    at = found.end()
    flags = found["flags"][0] if found["flags"] else 0
    if flags & _EXTRA:
        at += 2 + int.from_bytes(raw[at : at + 2], "little")
    for field in (_NAME, _REMARK):
        if flags & field:
            end = raw.find(b"\0", at)
            at = len(raw) if end < 0 else end + 1
    return at + 2 if flags & _SUM else at
