"""Which one of the options that a question offers does an answer state, or point to?

Read without knowing which is right, and alike for every option, so that of an answer that knows
nothing each is as likely to be read as any other.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rageval_kit.records.cases import Choice, Option

_CLAUSES = re.compile(r"(?<=[.!?。！？;；\n])(?!\d)")
# What follows is ruled out, until the clause turns.
_NOT = re.compile(
    r"\b(?:not|neither|nor|never|rule[sd]? out|excluding|excluded?|except|rather than|instead of)\b"
    r"|n't\b|并非|不是|不会是|不可能是|排除|除了|而非|既非",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|it is|it's|is actually|so)\b|而是|但是?|应该?是|就是|那就", re.IGNORECASE
)
_LONE = re.compile(r"\W*([A-Z])\W*")
_NAMED = re.compile(
    r"(?:\b(?:option|answer|choice|choose|pick|letter)(?: is| would be)?|选项?|答案是?|应选)"
    r"\s*[:：]?\s*[\"'“(（]?([A-Z])(?![A-Za-z])"
    r"|(?<![A-Za-z0-9])[(（]?([A-Z])[)）](?![A-Za-z])",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(?<![A-Za-z0-9])([A-Z])(?![A-Za-z0-9])")
_SCALES = {
    "thousand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9,
    "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "十亿": 1e9,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,-])(?P<of>百分之)?(?P<whole>\d{1,3}(?:[, ]\d{3})+(?!\d)|\d+)"
    r"(?P<rest>\.\d+)?\s*(?P<scale>thousand|million|billion|mn|bn|百万|千万|十亿|万|亿)?"
    r"\s*(?P<percent>%|percent|per cent)?(?![\d])",
    re.IGNORECASE,
)
_GLUE = re.compile("[的色]")
LETTER = 100  # tells more than any words


def chosen(text: str, choice: Choice, question: str = "") -> int | None:
    """The position of the one option that the answer comes to; None: none, or several.

    An answer that repeats the question has said nothing by that. Where it names what was asked
    about, what it says in these clauses counts first. Of options that are named, the one is meant
    of which most is said in one clause; one that is ruled out is not meant, and where all others
    are ruled out the last one is.
    """
    answer = _level(text)
    if question:
        answer = answer.replace(_level(question), " ")
    if lone := _LONE.fullmatch(answer):
        return next((i for i, o in enumerate(choice.options) if o.letter == lone[1]), None)
    clauses = _CLAUSES.split(answer)
    own = [clause for clause in clauses if choice.about and choice.about in clause]
    found = _read(own, choice.options)
    return found if found is not None else _read(clauses, choice.options)


def _read(clauses: Sequence[str], options: Sequence[Option]) -> int | None:
    told = [0] * len(options)
    out = [False] * len(options)
    for said, denied in (part for clause in clauses for part in _parts(clause)):
        for place, option in enumerate(options):
            weight = _weight(said, option, denied=denied)
            if denied:
                out[place] |= weight > 0
            else:
                told[place] = max(told[place], weight)
    told = [0 if ruled else weight for weight, ruled in zip(told, out, strict=True)]
    most = max(told)
    left = [place for place, ruled in enumerate(out) if not ruled]
    if most:
        left = [place for place, weight in enumerate(told) if weight == most]
    return left[0] if len(left) == 1 else None


def _parts(clause: str) -> Iterator[tuple[str, bool]]:
    """The clause, cut where it begins to rule out and where it ends to; True: ruled out."""
    rest, denied = clause, False
    while found := (_TURN if denied else _NOT).search(rest):
        yield rest[: found.start()], denied
        rest, denied = rest[found.end() :], not denied
    yield rest, denied


def _weight(clause: str, option: Option, *, denied: bool) -> int:
    """How much of the option the clause says; 0 where it does not say what tells it apart."""
    letters = _LISTED.findall(clause) if denied else _letters(clause)
    if option.letter in letters:
        return LETTER
    if option.amount is not None:
        return int(any(_is_near(*number, option) for number in _numbers(clause)))
    if not option.elements:
        return 0
    plain = _GLUE.sub("", clause.casefold())
    said = [any(_spelling(s).search(plain) for s in spellings) for spellings in option.elements]
    return sum(said) if said[0] else 0


def _letters(clause: str) -> list[str]:
    return [(found[1] or found[2]).upper() for found in _NAMED.finditer(clause)]


@lru_cache(maxsize=8192)
def _spelling(text: str) -> re.Pattern[str]:
    plain = re.escape(_GLUE.sub("", text.casefold()))
    is_latin = text[:1].isascii()
    return re.compile(rf"(?<![a-z]){plain}(?:s|es)?(?![a-z])" if is_latin else plain)


def _numbers(clause: str) -> Iterator[tuple[float, bool]]:
    """Each number with its scale, and whether it is a percentage."""
    for found in _NUMBER.finditer(clause):
        digits = re.sub(r"\D", "", found["whole"])
        number = float(f"{digits[:30]}{found['rest'] or ''}")
        scale = _SCALES.get((found["scale"] or "").lower(), 1.0)
        yield number * scale, bool(found["of"] or found["percent"])


def _is_near(number: float, is_percent: bool, option: Option) -> bool:  # noqa: FBT001 - as read
    amount = option.amount or 0.0
    if option.percent:
        return is_percent and abs(number - abs(amount)) <= option.within
    return not is_percent and abs(number - amount) <= option.within * amount


def _level(text: str) -> str:
    return re.sub(r"[^\S\n]+", " ", unicodedata.normalize("NFKC", text)).strip()
