"""Where do the sentences of a Chinese or English text begin and end?"""

import re

from rageval_kit.text.normalise import is_cjk

_CLOSERS = "\"'\u2019\u201d\u300d\u300f\uff09)\u3011\\]\u300b"
# Candidates for an end, each decided below. Possessive and with a bounded look back, so that a
# hostile text costs no more than its length.
_LOOK_BACK = 24
_END = re.compile(
    f"(?P<wide>[\u3002\uff01\uff1f\uff61]+[!?\uff01\uff1f]*)(?:[{_CLOSERS}]*)"
    f"|(?P<narrow>(?<![!?])[!?]++)(?:[{_CLOSERS}]*+)(?=\\s|$|[^\\x00-\\x7f])"
    f"|(?P<dot>\\.)(?:[{_CLOSERS}]*+)(?=\\s|$|[^\\x00-\\x7f])"
    r"|(?P<blank>\n[^\S\n]*+\n\s*+)"
    r"|(?P<line>\n)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'\u201c]{1,24}\Z")
_LIST_MARK = re.compile(r"[(\uff08]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxIVX]{1,5})\Z")
_LIST_START = re.compile(r"\s*(?:[-*\u2022\u00b7]\s|[(\uff08]?\d{1,3}[.)\uff09\u3001])")
_ABBREVIATIONS = frozenset(
    {
        *("mr", "mrs", "ms", "dr", "prof", "sr", "jr", "st", "vs", "etc", "e.g", "i.e", "cf"),
        *("inc", "ltd", "co", "corp", "dept", "approx", "al", "eds", "u.s", "u.k", "a.m", "p.m"),
        *("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"),
    }
)
# Only before a figure: "see no. 5", but "the answer is no. Then".
_BEFORE_FIGURE = frozenset(["no", "nos", "fig", "figs", "eq", "sec", "ch", "art", "vol", "pp", "p"])
# Abbreviations that mostly close a sentence where a capital or an ideograph follows.
_MAY_CLOSE = frozenset({"etc", "inc", "ltd", "co", "corp", "a.m", "p.m", "u.s", "u.k", "al"})


def sentences(text: str) -> list[str]:
    """The sentences, stripped, none empty; a last one without a stop counts.

    An ASCII dot ends a sentence only before white space, an ideograph or the end, and not after a
    list number, an initial, or an abbreviation. A single line break ends one after an ideograph or
    before a list item; a blank line always does.
    """
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if _ends(text, start, match):
            found.append(text[start : match.end()])
            start = match.end()
    found.append(text[start:])
    return [stripped for piece in found if (stripped := piece.strip())]


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    kind = match.lastgroup
    if kind == "dot":
        return _dot_ends(text, start, match)
    if kind == "line":
        before = text[max(start, match.start() - _LOOK_BACK) : match.start()].rstrip()
        return bool(before) and (
            is_cjk(before[-1]) or _LIST_START.match(text, match.end()) is not None
        )
    return True


def _dot_ends(text: str, start: int, match: re.Match[str]) -> bool:
    rest = text[match.end() : match.end() + 8].lstrip()
    if not rest:
        return True
    before = text[max(start, match.start() - _LOOK_BACK) : match.start()]
    last = _LAST_WORD.search(before)
    word = last.group() if last else ""
    lead = text[start : match.start() - len(word)] if len(before) < _LOOK_BACK else "far"
    at_start = not lead.strip()
    if not word or (at_start and _LIST_MARK.match(word)):
        return False
    follows = text[match.end()]
    if not follows.isspace():
        # "v2.1.\u7b2c" or "3.\u4e8c" is a number going on; "It ends.\u7136\u540e" is an end
        return word[-1].isalpha() and word.isascii() and len(word) > 1
    lowered = word.lower()
    if lowered in _BEFORE_FIGURE:
        return not rest[0].isdigit()
    if lowered in _ABBREVIATIONS:
        return lowered in _MAY_CLOSE and (rest[0].isupper() or is_cjk(rest[0]))
    is_initial = len(word) == 1 and word.isupper()
    return not is_initial
