"""Which characters of a text does nobody see, though some of them count as letters?"""

import re

from rageval_kit.text.normalise import IGNORED

# An empty Braille cell, notes without a head, strokes that only stretch a word: no letter is read
# there, but in an address they stand.
_BLANK = "\u0640\u07fa\u180a\u2800\U0001d159"
_IGNORED = re.compile(f"[{IGNORED}]+")
_NO_LETTER = re.compile(f"[{IGNORED}{_BLANK}]")


def without_ignored(text: str) -> str:
    """The text as a browser takes an address: without what is ignored by default."""
    return text if text.isascii() else _IGNORED.sub("", text)


def is_unseen(char: str) -> bool:
    """Whether a reader meets no letter and no sign where this character stands."""
    return _NO_LETTER.match(char) is not None
