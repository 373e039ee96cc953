"""Where does each part of the kit draw its randomness, so that no part disturbs another?"""

import hashlib
import random

import numpy as np

_SEPARATOR = b"\x1f"


def stream_digest(seed: int, *names: str) -> bytes:
    """32 bytes that depend on the seed and the names alone; each name is framed by its length."""
    digest = hashlib.sha256(str(int(seed)).encode())
    for name in names:
        raw = name.encode("utf-8", "surrogatepass")
        digest.update(_SEPARATOR + str(len(raw)).encode() + _SEPARATOR + raw)
    return digest.digest()


def stream(seed: int, *names: str) -> np.random.Generator:
    """A numpy generator of its own for `names`; what other names draw never changes it.

    The bit generator is named, not numpy's default: a later default must not change old runs.
    """
    return np.random.Generator(np.random.PCG64(int.from_bytes(stream_digest(seed, *names), "big")))


def python_stream(seed: int, *names: str) -> random.Random:
    """The same for code that needs `random.Random` (choices, shuffles, faker)."""
    return random.Random(int.from_bytes(stream_digest(seed, *names), "big"))
