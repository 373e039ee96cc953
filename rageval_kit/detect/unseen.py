"""Which characters of a text does nobody see, though some of them count as letters?"""

import re

# Default_Ignorable_Code_Point of Unicode (fillers, joiners, bidi controls, selectors, tags), and
# the marks of annotations. Browsers drop them from an address as well.
IGNORED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
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
