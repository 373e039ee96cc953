"""How is text that others wrote shown so that it can hide nothing and forge nothing?"""

import hashlib
import re
import unicodedata

# Not of category C, yet drawn as nothing: joiners, fillers, blanks, variation selectors.
_BLANK = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\ufffe\uffff"
    "\U000e0100-\U000e01ef"
)
_BRACKETS = "\u27e8\u27e9"  # ours, so text that contains them is shown by code point as well
_PLAIN = re.compile(r"[ -~\u4e00-\u9fff\u3000-\u303f\uff01-\uff5e]*")
_ALWAYS = re.compile(f"[{_BLANK}{_BRACKETS}]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def _shown(char: str, *, lines: bool) -> str:
    if lines and char in "\n\t":
        return char
    if unicodedata.category(char) in _HIDDEN or _ALWAYS.match(char):
        return f"⟨U+{ord(char):04X}⟩"
    return char


def shortened(text: str, limit: int, *, unit: str = "bytes") -> str:
    """`text`, or its first `limit` characters followed by its whole size and full SHA-256."""
    if not 0 < limit < len(text):
        return text
    raw = text.encode("utf-8", "surrogatepass")
    return f"{text[:limit]}… {len(raw):,} {unit}, sha256 {hashlib.sha256(raw).hexdigest()}"


def visible(text: str, limit: int = 0, *, unit: str = "bytes", lines: bool = False) -> str:
    """`text` with every control, bidi or zero-width character as its code point, like ⟨U+202E⟩.

    Longer than `limit` characters (0: no limit) it is cut there, so that nothing is dropped
    unsaid. `lines` keeps line breaks and tabs.
    """
    kept = shortened(text, limit, unit=unit)
    if _PLAIN.fullmatch(kept):
        return kept
    return "".join(_shown(char, lines=lines) for char in kept)
