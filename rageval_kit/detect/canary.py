"""How does a planted token look, and how is it drawn from a digest?"""

import hashlib

from rageval_kit.records.faults import InputError

# No vowels (a token is never a word), none of B I L O S U Z 0 1 (read as 8 1 1 0 5 V 2 O I).
LETTERS = "CDFGHJKMNPQRTVWXY"
DIGITS = "23456789"
GROUPS = (LETTERS, DIGITS, LETTERS, DIGITS)
GROUP_LENGTH = 5
_LEAST_DIGEST = 8


def new_canary(digest: bytes) -> str:
    """A token like `KTXMR-48293-QWHJD-75962`: four groups, 70 bits, the same for the same digest.

    The digest is hashed once more, so any bytes of 8 or more do (a case's key, a random draw).
    """
    if len(digest) < _LEAST_DIGEST:
        raise InputError.one(
            "canary",
            "the digest is too short to make a token of 64 bits or more",
            f"{len(digest)} bytes",
            "give 8 bytes or more",
        )
    number = int.from_bytes(hashlib.sha256(b"canary\x1f" + digest).digest(), "big")
    groups = []
    for alphabet in GROUPS:
        symbols = []
        for _ in range(GROUP_LENGTH):
            number, index = divmod(number, len(alphabet))
            symbols.append(alphabet[index])
        groups.append("".join(symbols))
    return "-".join(groups)


# What the hidden instructions of a system under test may hold, so that their telling is seen. Where
# a system has instructions of its own, its owner puts this token into them.
PROMPT_CANARY = new_canary(b"the hidden instructions of a system under test")
