"""What could an order look like to somebody who reads through its disguise?

The stand-in for a model that decodes what it is given. Its decoders are its own: one shared with
the checks would be blind where they are. Each reading costs time linear in the text.
"""

import base64
import codecs
import re
import unicodedata
from collections.abc import Iterator

from rageval_kit.system.sanitise import UNSEEN

_TAGS = {0xE0000 + code: code for code in range(0x20, 0x7F)}
_TURNED = re.compile("[\u202e\u202d][^\u202c]{0,4000}+\u202c?")
_LETTERS = re.compile("[^\x00-\x7f]")
# Cyrillic and Greek letters, each over the Latin one of its shape.
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТХУавеѕіјкмнорстхуһԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχ",
    "ABESIJKMHOPCTXYaBesijkmHopcTxyhdqwABEZHIKMNOPTYXaBeikvopTux",
)
_BASE64 = re.compile(r"[\w+/\n-]{32,}+", re.ASCII)
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]?){24,}+")
_MORSE = re.compile(r"[.-]{1,7}+(?:[ /]{1,3}+[.-]{1,7}+){11,}+")
_SIGNS = (  # each after the letter that it stands for
    "A.- B-... C-.-. D-.. E. F..-. G--. H.... I.. J.--- K-.- L.-.. M-- N-. O--- P.--. Q--.- "
    "R.-. S... T- U..- V...- W.-- X-..- Y-.-- Z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... "
    "6-.... 7--... 8---.. 9----. ..-.-.- ,--..-- :---... ?..--.. '.----. --....- /-..-. "
    '(-.--. )-.--.- ".-..-. =-...- +.-.-. @.--.-. !-.-.-- _..--.- &.-...'
)
_LETTER_OF = {sign[1:]: sign[0] for sign in _SIGNS.split()}


def without_unseen(text: str) -> str:
    """Tag characters read as the letters they copy; what else is not seen is dropped."""
    return UNSEEN.sub("", text.translate(_TAGS))


def in_plain_sight(text: str) -> str:
    """The text without what invisible characters turn round."""
    return _TURNED.sub("", text)


def levelled(text: str) -> str:
    """Letters of other scripts and widths as the Latin ones they look like."""
    narrow = _LETTERS.sub(lambda found: _narrow(found[0]), text)
    return narrow.translate(_ALIKE)


def _narrow(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    return plain if plain.isascii() else char


def decoded(text: str) -> Iterator[str]:
    """Every other reading of the text: base64, hexadecimal, rot13, backwards, Morse."""
    for found in _BASE64.finditer(text):
        blob = found[0].replace("\n", "").replace("-", "+").replace("_", "/")
        for start in range(4):  # a letter before it must not hide it
            cut = blob[start:]
            cut = cut[: len(cut) - (len(cut) % 4 == 1)]
            yield base64.b64decode(cut + "=" * (-len(cut) % 4)).decode("utf-8", "replace")
    for found in _HEX.finditer(text):
        yield bytes.fromhex(found[0].replace(":", "")).decode("utf-8", "replace")
    yield codecs.encode(text, "rot13")
    yield text[::-1]
    for found in _MORSE.finditer(text):
        words = found[0].split("/")
        said = ("".join(_LETTER_OF.get(one, "") for one in word.split()) for word in words)
        yield " ".join(said).lower()  # its letters have no case
