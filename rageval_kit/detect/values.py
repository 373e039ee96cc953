"""Which of some numbers does a text state, however they are written?

A number may have thousands separators, a fraction of zeros, full-width digits, or be written in
Chinese numerals, whole or by digit; inside a longer token (an id, a canary) it is not stated. A run
of digits longer than any value is none: what it amounts to could not even be read.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from rageval_kit.detect.stated import refuted, states

_SPACES = " \u00a0\u2009\u202f"
_GROUPED = rf"\d{{1,3}}(?:(?P<mark>[,.'’،٬_]|[{_SPACES}])\d{{3}})(?:(?P=mark)\d{{3}})*"
_ARABIC = re.compile(
    rf"(?<![A-Za-z0-9_#万萬亿億])(?<![A-Za-z]-)(?<![0-9][.,])(?P<whole>{_GROUPED}|\d+)(?:\.(?P<rest>\d+))?"
    r"(?:(?P<unit>[万萬亿億])|(?:[eE]|[ \u00a0]?[×x*][ \u00a0]?10\^)\+?(?P<power>\d{1,2}))?"
    r"(?![A-Za-z_0-9万萬亿億]|[.,]\d|-[A-Za-z])"
)
_MIXED = re.compile(  # 35万8214, 1亿2345万6789
    r"(?<![A-Za-z0-9_#.,])(?=\d)(?:(\d{1,4})[亿億])?(?:零?(\d{1,4})[万萬])?(?:零?(\d{1,4}))?"
    r"(?![A-Za-z_0-9万萬亿億]|[.,]\d|-[A-Za-z])"
)
_DIGITS = {
    **dict(zip("〇零一二三四五六七八九", (0, *range(10)), strict=True)),
    **dict(zip("壹贰叁肆伍陆柒捌玖两", (*range(1, 10), 2), strict=True)),
    **dict(zip("貳參陸兩", (2, 3, 6, 2), strict=True)),
}
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE = re.compile(f"[{''.join((*_DIGITS, *_UNITS, *_MYRIADS))}]{{2,}}")
_LONGEST = 40


def stated(text: str, values: Iterable[str]) -> frozenset[str]:
    """Those of `values` that the text states: numbers by what they amount to, words by spelling.

    A value that the text names only to refute it is not stated.
    """
    numbers = {value: _amount(value) for value in values}
    wanted = {number for number in numbers.values() if number is not None}
    folded = _folded(text) if wanted else ""
    there = {
        number
        for number, start, end in _numbers(folded)
        if number in wanted and not refuted(folded, start, end)
    }
    return frozenset(
        value
        for value, number in numbers.items()
        if (states(value, text) if number is None else number in there)
    )


def numbers_in(text: str) -> Iterator[int]:
    """Every whole number of the text, in order of writing system, then of place."""
    return (number for number, _, _ in _numbers(_folded(text)))


def _amount(value: str) -> int | None:
    """What a value amounts to that is nothing but one number; None: it is a word."""
    folded = _folded(value).strip()
    first = next(_numbers(folded), None) if folded[:1].isdecimal() else None
    return first[0] if first and first[1:] == (0, len(folded)) else None


def _numbers(folded: str) -> Iterator[tuple[int, int, int]]:
    """Each number with where it begins and ends."""
    for found in _ARABIC.finditer(folded):
        whole, rest = found["whole"], found["rest"] or ""
        if found["power"] and whole.count(".") == 1 and not rest:  # 358.214e3 has no thousands
            whole, rest = whole.split(".")
        rest = rest.rstrip("0")
        power = int(found["power"] or 0)
        if power > _LONGEST:
            continue
        scale = _MYRIADS.get(found["unit"] or "", 1) * 10**power
        digits = re.sub(r"\D", "", whole).lstrip("0") or "0"
        if len(digits) + len(rest) > _LONGEST:
            continue
        number = int(digits) * scale * 10 ** len(rest) + (int(rest) if rest else 0) * scale
        if number % 10 ** len(rest) == 0:
            yield number // 10 ** len(rest), *found.span()
    for mixed in _MIXED.finditer(folded):
        if sum(map(bool, mixed.groups())) > 1:
            high, middle, low = (int(part or 0) for part in mixed.groups())
            yield high * 10**8 + middle * 10**4 + low, *mixed.span()
    for written in _CHINESE.finditer(folded):
        if len(written[0]) <= _LONGEST:
            yield _chinese(written[0]), *written.span()


def _folded(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _chinese(written: str) -> int:
    """What a run of Chinese numerals amounts to; digit by digit where it has no units."""
    if all(c in _DIGITS for c in written):
        return int("".join(str(_DIGITS[c]) for c in written))
    total = section = digit = 0
    for c in written:
        if c in _DIGITS:
            digit = _DIGITS[c]
        elif c in _UNITS:
            section += (digit or 1) * _UNITS[c]
            digit = 0
        else:
            total = (
                (total + section + digit) * _MYRIADS[c]
                if c in "亿億"
                else (total + (section + digit) * _MYRIADS[c])
            )
            section = digit = 0
    return total + section + digit
