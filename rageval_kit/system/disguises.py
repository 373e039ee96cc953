"""What could an order look like to somebody who reads through its disguise?

The stand-in for a model that decodes what it is given. Each reading costs time linear in the text.
"""

import codecs
import re
import unicodedata
from collections.abc import Iterator

from rageval_kit.detect.decode import base64, hexadecimal, morse
from rageval_kit.detect.fold import flags, fold_text, to_codes
from rageval_kit.system.sanitise import UNSEEN

_LEAST_ENCODED = 24  # characters of a blob worth decoding
_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_TURNED = re.compile("[\u202e\u202d][^\u202c]{0,4000}+\u202c?")
_LETTERS = re.compile("[^\x00-\x7f]")


def without_unseen(text: str) -> str:
    """Tag characters read as the letters they copy; what else is not seen is dropped."""
    return UNSEEN.sub("", text.translate(_TAGS))


def in_plain_sight(text: str) -> str:
    """The text without what invisible characters turn round."""
    return _TURNED.sub("", text)


def levelled(text: str) -> str:
    """Letters of other scripts and widths as the Latin ones they look like."""
    return _LETTERS.sub(lambda found: _alike(found[0]), text)


def _alike(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    if plain.isascii():
        return plain
    letter = fold_text(char)
    return letter if letter.isascii() and letter.isalpha() else char


def decoded(text: str) -> Iterator[str]:
    """Every other reading of the text: base64, hexadecimal, rot13, backwards, Morse."""
    kinds = flags(to_codes(text))
    yield from base64(text, kinds, _LEAST_ENCODED)
    yield from hexadecimal(text, kinds, _LEAST_ENCODED)
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    yield from morse(text, kinds, _LEAST_ENCODED)
