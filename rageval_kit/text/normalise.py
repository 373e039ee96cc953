"""Which characters of a text count when two texts are matched?"""

import re
import unicodedata

# Chinese, Japanese and Korean are written without spaces (or search better without them):
# ideographs with extensions, kana, hangul, and the iteration mark.
CJK = (
    "\u3005\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK_CHARACTER = re.compile(f"[{CJK}]")
_LATIN_WORD = re.compile(f"[^\\W\\d_{CJK}]+")

# Not seen, and no part of a word: Default_Ignorable_Code_Point of Unicode (fillers, joiners, bidi
# controls, selectors, tags), and the marks of annotations. Browsers drop them from an address too.
IGNORED = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_UNSEEN = re.compile(f"[{IGNORED}]")


def fold(text: str) -> str:
    """One form for matching: compatibility forms, width and case folded, unseen characters gone.

    For words only: ids are opaque and are never folded.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold()


def is_cjk(character: str) -> bool:
    return _CJK_CHARACTER.match(character) is not None


def language(text: str) -> str:
    """`zh` where ideographs outnumber the Latin words, else `en`; `en` for a text with neither."""
    return "zh" if len(_CJK_CHARACTER.findall(text)) > len(_LATIN_WORD.findall(text)) else "en"


def nfc(text: str) -> str:
    """Normalise an id. Only ids: the text of a document stays as it is."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
