"""Which letter or digit does a character stand for, whatever its script, width or ornament?

Folding works one character at a time, so a token inside a text is inside the folded text too.
Tables are filled as characters are met: the first text pays for its alphabet, the next does not.
"""

import unicodedata

import numpy as np
from numpy.typing import NDArray

from rageval_kit.detect.unseen import is_unseen

Codes = NDArray[np.uint32]

_UNSET = 0xFFFFFFFF
_MANY = 0xFFFFFFFE  # a character that folds to several
_SIZE = 0x110000

# Flags of a character as the decoders see it.
BASE64 = 1
HEX = 2
HEX_GLUE = 4
NUMERAL = 8
NON_ASCII = 16

_NUMERAL_DIGITS = {
    **dict(zip("〇零一二三四五六七八九", "00123456789", strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖两", "1234567892", strict=True)),
    **dict(zip("貳參肆陸兩幺弌弍弎", "234621123", strict=True)),
}
_NUMERAL_UNITS = "十百千万拾佰仟萬"

# Letters of other scripts that look like Latin ones, in the shape in which they look alike.
_CONFUSABLES = {
    **dict(zip("АВСЕНІЈКМОРЅТХУԚԜҮ", "abcehijkmopstxyqwy", strict=True)),
    **dict(zip("авсенијкморѕтхуԛԝіγ", "abcehujkmopstxyqwiy", strict=True)),
    **dict(zip("ҺһԀԁҒгґԌԍӀӏԛզոսցհյ", "hhddfrrggllqqnughj", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ", "abezhikmnoptyxcm", strict=True)),
    **dict(zip("ανορτυχικηωϲεβ", "avoptuxiknwceb", strict=True)),
    **dict(zip("ՕՍՏԼօսոհ", "ouslouuh", strict=True)),
    **dict(zip("ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷΝᏢᎡᏚᎢᏙᎳᎩᏃ", "abcdeghijklmnprstvwyz", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True)),
    **dict(
        zip("ıȷɑɡɩʋƽꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "ijagiv5bpdtgkjczfmnlsrvhwxyaeiou", strict=True)
    ),
    "ø": "o",
    "Ø": "o",
    "đ": "d",
    "Đ": "d",
    "ħ": "h",
    "Ħ": "h",
    "ł": "l",
    "Ł": "l",
    "ŧ": "t",
    "ⅽ": "c",
    "Ⲥ": "c",
    "ⲥ": "c",
    "Ⲕ": "k",
    "Ⲟ": "o",
    "Ⲣ": "p",
    "Ⲧ": "t",
    "Ⲭ": "x",
}
# Runs of letters with no decomposition: negative circled and squared ones, regional indicators.
_LETTER_RUNS = ((0x1F150, 26), (0x1F170, 26), (0x1F1E6, 26))
_TAGS = (0xE0020, 0xE007F)  # invisible copies of ASCII


def _fold_one(code: int) -> str:
    """The lower-case letters and digits that one character stands for; empty: it is dropped."""
    char = chr(code)
    if _TAGS[0] <= code < _TAGS[1]:
        return _fold_one(code - 0xE0000)
    for start, length in _LETTER_RUNS:
        if start <= code < start + length:
            return chr(ord("a") + code - start)
    folded = []
    for base in unicodedata.normalize("NFKD", char):
        if is_unseen(base):  # some are letters to Python
            continue
        if base in _NUMERAL_DIGITS:
            folded.append(_NUMERAL_DIGITS[base])
        elif base in _CONFUSABLES:
            folded.append(_CONFUSABLES[base])
        else:
            digit = unicodedata.decimal(base, None)
            if digit is not None:
                folded.append(str(digit))
            else:
                folded.extend(
                    _CONFUSABLES.get(low, low) for low in base.casefold() if low.isalnum()
                )
    return "".join(folded)


def _plain_one(code: int) -> str:
    """The character in its plain width, case and punctuation kept; invisible ones dropped."""
    if _TAGS[0] <= code < _TAGS[1]:
        return chr(code - 0xE0000)
    plain = unicodedata.normalize("NFKC", chr(code))
    return "".join(char for char in plain if not _is_invisible(char))


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in {"Cf", "Mn", "Me"} or is_unseen(char)


def _flags_one(code: int) -> int:
    char = chr(code)
    flags = 0
    if code > 0x7F:  # noqa: PLR2004 - the end of ASCII
        flags |= NON_ASCII
    elif char.isalnum() or char in "+/-_\r\n":
        flags |= BASE64
    if char in "0123456789abcdefABCDEF":
        flags |= HEX
    if char in " \t\r\n:,;.-=%\\xX|":
        flags |= HEX_GLUE
    if char in _NUMERAL_DIGITS or char in _NUMERAL_UNITS:
        flags |= NUMERAL
    return flags


class _Table:
    """A map from code point to the codes it becomes, computed once for each code point met."""

    def __init__(self, *, folds: bool) -> None:
        self._folds = folds
        self._single = np.full(_SIZE, _UNSET, dtype=np.uint32)
        self._many: dict[int, str] = {}

    def map(self, codes: Codes) -> Codes:
        """The mapped codes; dropped characters are gone."""
        mapped = self._single[codes]
        if mapped.size and mapped.max() >= _MANY:
            self._learn(codes[mapped == _UNSET])
            codes = self._expand(codes)
            mapped = self._single[codes]
        kept: Codes = mapped[mapped != 0]
        return kept

    def _learn(self, codes: Codes) -> None:
        for code in np.unique(codes).tolist():
            text = _fold_one(code) if self._folds else _plain_one(code)
            if len(text) > 1:
                parts = to_codes(text)
                self._learn(parts[self._single[parts] == _UNSET])
                self._many[code] = text
                self._single[code] = _MANY  # last: another thread may be reading
            else:
                self._single[code] = ord(text) if text else 0

    def _expand(self, codes: Codes) -> Codes:
        """Characters that stand for several are written out; those stand for themselves."""
        if not (self._single[codes] == _MANY).any():
            return codes
        return to_codes(to_text(codes).translate(self._many))


_FOLD = _Table(folds=True)
_PLAIN = _Table(folds=False)
_FLAGS = np.zeros(_SIZE, dtype=np.uint8)
_FLAGS[0x80:] = NON_ASCII
for _code in [*range(0x80), *map(ord, _NUMERAL_DIGITS), *map(ord, _NUMERAL_UNITS)]:
    _FLAGS[_code] = _flags_one(_code)


def to_codes(text: str) -> Codes:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(
        np.uint32, copy=False
    )


def to_text(codes: Codes) -> str:
    return codes.astype("<u4", copy=False).tobytes().decode("utf-32-le", "surrogatepass")


def fold(codes: Codes) -> Codes:
    """Lower-case letters and digits alone, confusables and numerals read as what they look like."""
    return _FOLD.map(codes)


def plain(codes: Codes) -> Codes:
    """Plain width, nothing invisible, case and punctuation kept (NFKC of each character)."""
    return _PLAIN.map(codes)


def flags(codes: Codes) -> NDArray[np.uint8]:
    return _FLAGS[codes]


def fold_text(text: str) -> str:
    return to_text(fold(to_codes(text)))


def plain_text(text: str) -> str:
    return to_text(plain(to_codes(text)))


def without_numerals(text: str) -> str:
    """The text with Chinese digits taken out (to tell by which rung a token was found)."""
    return "".join(char for char in text if char not in _NUMERAL_DIGITS)
