"""Does a sentence state a value as true, or name it only to refute it?"""

import re
import unicodedata
from functools import lru_cache

_DIGIT_MARKS = re.compile(r"(?<=\d)[,'\u2019\u00a0\u202f\u066c](?=\d{3}(?!\d))")
_WRONG = (
    "wrong|false|incorrect|untrue|mistaken|erroneous|outdated|inaccurate|fabricated|a mistake|"
    "an error|no longer valid"
)
_WRONG_ZH = "有误|错误|不实|不正确|不准确|不对|错的|假的|误传|谣言|谣传|已作废|已失效"
# A few words at most may stand between the value and what is said of it: bounded, so that a hostile
# text costs no more than its length.
_BEFORE = re.compile(
    r"(?:\bnot|n't|\bnever|\brather than|\binstead of|\bno longer|\bnot true that[^.]{0,80}"
    r"|\b(?:wrong|false|incorrect|untrue)(?:ly)?(?: to (?:say|claim))?(?: that)?[^.,;]{0,60}"
    r"|并非|不是|而非|而不是|不再是|(?:误称|误传|谣传|错误地)[^。，；]{0,30})"
    r"(?: (?:is|was|be|at|by|the|a|an|in fact))*[ \"'“‘：:]{0,3}\Z"
)
_AFTER = re.compile(
    r"[\"'”’]?(?:[ ,]+(?!not\b|never\b)[\w-]+){0,4}? (?:is|was|are|were|would be|being) "
    r"(?:simply |plainly |just |clearly )?"
    rf"(?:{_WRONG}|not (?:the )?(?:true|right|correct|case|valid))\b"
    rf"|[\"'”’]?[ ,(（]{{0,2}}(?:{_WRONG})\b"
    rf"|[\"'”’]?[^。，；是非]{{0,12}}(?:的说法|这一说法|之说)?[^。，；非]{{0,4}}(?:{_WRONG_ZH}|并不属实|不属实)"
)
_REACH = 120


def states(value: str, sentence: str) -> bool:
    """True where the value stands in the sentence at least once without being refuted there.

    Numbers are the same however their thousands are marked, and are never part of a longer one;
    names are compared without case and width. What a sentence says of the value is read from the
    words next to it: `not X`, `rather than X`, `X is wrong`; of a question put at length, nothing.
    """
    text = _plain(sentence)
    return any(not _refuted(text, match) for match in _pattern(value).finditer(text))


def mentions(value: str, text: str) -> bool:
    """True where the value stands in the text, however it is meant."""
    return _pattern(value).search(_plain(text)) is not None


def _refuted(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _REACH) : match.start()]
    after = text[match.end() : match.end() + _REACH]
    return _BEFORE.search(before) is not None or _AFTER.match(after) is not None


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str]:
    plain = re.escape(_plain(value)).replace("\\ ", r"\s+")
    left = r"(?<![\w.])" if _is_latin(value[:1]) else ""
    right = r"(?!\w|[.,]\d)" if _is_latin(value[-1:]) else ""
    if value.strip().replace(",", "").isdigit():
        left, right = r"(?<![\d.])(?<!\d,)", r"(?!\d|[.,]\d)"
    return re.compile(f"{left}{plain}{right}")


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _DIGIT_MARKS.sub("", " ".join(folded.split()))
