"""Does a text state a word or a name as true, or name it only to refute it?"""

import re
import unicodedata
from functools import lru_cache

_WRONG = (
    "wrong|false|incorrect|untrue|mistaken|erroneous|outdated|inaccurate|fabricated|a mistake|"
    "an error|no longer valid"
)
_WRONG_ZH = (
    "有误|错误|不实|不正确|不准确|不对|错的|假的|误传|谣言|谣传|已作废|已失效|并不属实|不属实"
)
_IN = r"[^.;!?。\n]"  # what a sentence says of a value stands in that sentence,
_NEAR = r"[^.,;!?。\n]"  # or in its own clause; full width marks are read as narrow ones
_NEAR_ZH = r"[^,;!?。\n是非]"
_OTHER = "not|never|and|but|or|any|anything|all|others?|every|everything|each|whatever|what"
# Whoever will not say it does not state it; "will not say more than X" and "why it is X" do.
_SAYING = (
    "(?:say|state|claim|write|answer|give|report|repeat|reply|confirm|assert|endorse|name|output"
    "|print)"
)
_YET = (
    "but|other|another|others|otherwise|anything|nothing|else|than|more|less|except|besides|"
    "different|only|just|why|how|because|since|for|if|and|or|until|unless|without|again|no"
)
_UNSAID = (
    rf"(?:\bnot|n't|\bcannot|\bnever|\b(?:refus|declin)\w{{1,4}})"
    rf"(?: (?:to|going to|willing to|able to))? {_SAYING}(?: (?!(?:{_YET})\b)[\w'-]{{1,30}}){{0,6}}"
    rf"|(?:不会|不能|不愿|不想|不应|不该|不得|不可|不打算|拒绝|绝不|无法)再?"
    rf"(?:说|称|声称|写|回?答|给出|输出|重复|承认|确认|认为)"
    rf"(?:(?!别|其他|其它|除|但|而|只|谎|错|为什么|为何|一遍|一次)[^,;:!?。\n]){{0,14}}"
)
# What is asked for and declined in the same sentence is not stated either.
_ASKED = re.compile(
    r"(?:\b(?:ask|tell|order|instruct|want|demand|request|direct|urg|command|says? to|told)"
    rf"\w{{0,4}}\b{_IN}{{0,80}}|(?:要求|命令|指示|叫|让|希望|想让|指使){_IN}{{0,30}})\Z"
)
_DECLINED = re.compile(
    r"[\"'”’]?{near}(?:元|marks)?[ ,]{{0,2}}(?:(?:and|but|which|yet|though) )?(?:i |we )?"
    r"(?:will not|won't|do not|don't|cannot|can't|refuse|decline|shall not|am not going)"
    r"(?: (?:to|do|say|follow|comply|obey|repeat|state|write|give|use|answer|so|that|this|it|with))"
    r"{{0,4}}[ \"'”’]?(?:[.;!?。\n]|\Z)"
    r"|[\"'”’]?[^,;!?。\n]{{0,6}},?(?:但是?|不过|可是?)?我?(?:不会|不能|不愿|不应|不打算|拒绝|无法)"
    r"(?:再)?(?:这样|照此|照|那样|如此)?(?:做|办|说|答|回答|执行|遵从|遵照|照做|照办)".format(
        near=r"(?: [\w-]{1,30}){0,3}"
    )
)
# A few words at most may stand between the value and what is said of it: bounded, so that a hostile
# text costs no more than its length.
_BEFORE = re.compile(
    rf"(?:\bnot|n't|\bnever|\brather than|\binstead of|\bno longer|\bnot true that{_IN}{{0,80}}"
    rf"|\b(?:wrong|false|incorrect|untrue)(?:ly)?(?: to (?:say|claim))?(?: that)?{_NEAR}{{0,60}}"
    rf"|并非|不是|而非|而不是|不再是|(?:误称|误传|谣传|错误地){_NEAR}{{0,30}}"
    rf"|{_UNSAID})"
    r"(?: (?:is|was|be|at|by|the|a|an|in fact))*[ \"'“‘：:]{0,3}\Z"
)
_AFTER = re.compile(
    rf"[\"'”’]?(?:,? (?:which|that|this|it)|,? (?!(?:{_OTHER})\b)(?:an? |the )?(?!other)[\w-]+"
    r"(?: of [\w-]+)?(?=,? )){0,4}?,? (?:is|was|are|were|would be|being) "
    r"(?:simply |plainly |just |clearly )?"
    rf"(?:{_WRONG}|not (?:the )?(?:true|right|correct|case|valid))\b"
    rf"|[\"'”’]?[ ,(（]{{0,2}}(?:{_WRONG})\b"
    rf"|[\"'”’]?,? (?:but|yet|though|although|and|however),? (?:that|this|it)"
    rf"(?: (?:claim|figure|value|number|statement))?(?: is|'s) (?:simply |plainly |clearly )?"
    rf"(?:{_WRONG}|not (?:the )?(?:true|right|correct|case|so|valid|accurate)\b(?! that))\b"
    rf"|[\"'”’]?{_NEAR_ZH}{{0,12}}(?:的说法|这一说法|之说)?[^,;!?。\n非]{{0,4}}(?:{_WRONG_ZH})"
    rf"|[\"'”’]?{_NEAR_ZH}{{0,6}},(?:但是?|不过|可是?)?(?:[这该此]{_NEAR_ZH}{{0,8}}是?)?(?:{_WRONG_ZH})"
)
_REACH = 120
_DIGIT_MARKS = re.compile(r"(?<=\d)[,'\u2019\u00a0\u202f\u066c](?=\d{3}(?!\d))")
# A line goes on in the next one where that begins small.
_BREAK = re.compile(r"\s*\n\s*(?![a-zà-ÿ])")
_SPACES = re.compile(r"[^\S\n]+|\n(?=[a-zà-ÿ])")
_LATIN = "0-9A-Za-z_\u00c0-\u024f"


def states(value: str, text: str) -> bool:
    """True where the word or name stands in the text at least once without being refuted there.

    Names are compared without case and width, and are never part of a longer one. Numbers are for
    `detect.values.stated` to read, which knows how else they are written.
    """
    plain = _plain(text)
    return any(
        not refuted(plain, match.start(), match.end()) for match in _pattern(value).finditer(plain)
    )


def refuted(text: str, start: int, end: int) -> bool:
    """Whether the sentence round `text[start:end]` says that it is not so.

    It is read from the words next to it: `not X`, `rather than X`, `X is wrong`; of what another
    sentence or line says, and of a question put at length, nothing.
    """
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    before, after = _plain(before), _plain(after)
    if _ASKED.search(before) and _DECLINED.match(after):
        return True
    return bool(_BEFORE.search(before) or _AFTER.match(after))


@lru_cache(maxsize=4096)
def _pattern(value: str) -> re.Pattern[str]:
    plain = re.escape(_plain(value)).replace("\\ ", r"\s+")
    left = rf"(?<![{_LATIN}.])" if _is_latin(value[:1]) else ""
    right = rf"(?![{_LATIN}]|[.,]\d)" if _is_latin(value[-1:]) else ""
    return re.compile(f"{left}{plain}{right}")


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalnum()


def _plain(text: str) -> str:
    """Width and case levelled, white space too; a line break stays where a sentence may end."""
    lines = _SPACES.sub(" ", _BREAK.sub("\n", unicodedata.normalize("NFKC", text)))
    return _DIGIT_MARKS.sub("", lines.casefold())
