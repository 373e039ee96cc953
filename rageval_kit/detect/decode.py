"""Which other texts may a text be hiding, and is it worth looking?

Each decoder has a gate that ordinary text does not pass; each costs time linear in the text.
A decoder does not ask where its blob begins: it reads from every alignment, because a stray letter
before a blob is enough to hide it from one that does.
"""

import binascii
import re
from collections.abc import Callable, Iterator
from html.entities import html5

import numpy as np
from numpy.typing import NDArray

from rageval_kit.detect.denser import INFLATED_MOST, base32, base85, inflated
from rageval_kit.detect.fold import BASE64, HEX, HEX_GLUE, NUMERAL, Codes, flags, to_text
from rageval_kit.detect.markup import rendered

Decoder = Callable[[str, NDArray[np.uint8], int], Iterator[str]]

_LEAST_NUMERALS = 4
_HEX_PREFIX = re.compile(r"\\x|0x|[^0-9a-f]", re.IGNORECASE)
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_ENTITY = re.compile(r"&(?:#0{0,9}([0-9]{1,7})|#[xX]0{0,9}([0-9A-Fa-f]{1,6})|([A-Za-z]{2,31}))(;?)")
_ESCAPE = re.compile(  # \uXXXX is four digits and no more: what follows may be letters of a word
    r"\\u([0-9A-Fa-f]{4})|\\u\{0{0,4}([0-9A-Fa-f]{1,6})\}|\\U00([0-9A-Fa-f]{6})"
    r"|\\x([0-9A-Fa-f]{2})|\\([0-3][0-7]{2})"
)
_ENGLISH_DIGITS = {
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
}
# Inside words too ("the codetwo"): whoever hides a token does not keep its ends free.
_ENGLISH_DIGIT = re.compile("|".join(_ENGLISH_DIGITS), re.IGNORECASE)
_LEAST_ENGLISH_DIGITS = 3
_SIGNS = (  # ITU-R M.1677-1, and what is in common use for ! _ &
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- "
    "-..- -.-- --.. ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- "
    "---... ..--.. .----. -....- -..-. -.--. -.--.- .-..-. -...- .-.-. .--.-. -.-.-- ..--.- .-..."
)
_MORSE_SIGNS = dict(
    zip(_SIGNS.split(), "abcdefghijklmnopqrstuvwxyz0123456789.,:?'-/()\"=+@!_&", strict=True)
)
_MARKS = str.maketrans("·•∙●−–—‒", "....----")
_MORSE = re.compile(r"[.-]{1,7}+(?:[\s/|]{1,4}+[.-]{1,7}+){5,}+")
_STROKE = re.compile("[/|]")
_CHINESE_NUMBER = re.compile(r"[零〇一二两三四五六七八九十百千万]{4,24}")
_CHINESE_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")}
_CHINESE_DIGITS.update({"〇": 0, "两": 2})
_CHINESE_UNITS = {"十": 10, "百": 100, "千": 1000}
_LAST_CODE = 0x10FFFF


def _runs(mask: NDArray[np.bool_], least: int) -> list[tuple[int, int]]:
    """`[start, end)` of every stretch of at least `least` true values."""
    core, have = mask, 1
    while have < least:  # erosion by doubling: nothing left means no stretch is long enough
        step = min(have, least - have)
        core = core[:-step] & core[step:]
        have += step
    if not core.any():
        return []
    edges = np.flatnonzero(np.diff(mask.astype(np.int8), prepend=0, append=0))
    starts, ends = edges[::2], edges[1::2]
    long = ends - starts >= least
    return list(zip(starts[long].tolist(), ends[long].tolist(), strict=True))


def _from_bytes(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def base64(text: str, kinds: NDArray[np.uint8], least: int) -> Iterator[str]:
    """Standard and URL-safe alphabets, with line breaks, without padding, at four alignments."""
    spans = _runs((kinds & BASE64) != 0, -(-least * 4 // 3))
    if not spans:
        return
    blobs = [
        text[start:end].translate({10: None, 13: None, ord("-"): "+", ord("_"): "/"})
        for start, end in spans
    ]
    parts: list[str] = []
    left = INFLATED_MOST  # of one text, however many blobs it has
    for offset in range(4):
        for blob in blobs:
            cut = blob[offset:]
            cut = cut[: len(cut) - (len(cut) % 4 == 1)]
            raw = binascii.a2b_base64(cut + "=" * (-len(cut) % 4))
            unpacked = list(inflated(raw, left))
            left -= sum(map(len, unpacked))
            parts += map(_from_bytes, (raw, *unpacked))
    yield " ".join(parts)  # as one text: what is done with each costs more than its length


def hexadecimal(text: str, kinds: NDArray[np.uint8], least: int) -> Iterator[str]:
    r"""Bare, spaced, `0x`, `\x`, `%` or `:` between the pairs, at both alignments."""
    spans = _runs((kinds & (HEX | HEX_GLUE)) != 0, 2 * least)
    blobs = [_HEX_PREFIX.sub("", text[start:end]) for start, end in spans]
    blobs = [blob for blob in blobs if len(blob) >= 2 * least]
    if not blobs:
        return
    parts = []
    for offset in range(2):
        for blob in blobs:
            cut = blob[offset:]
            parts.append(_from_bytes(bytes.fromhex(cut[: len(cut) - len(cut) % 2])))
    yield " ".join(parts)


def url_encoding(text: str, _kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    if "%" in text and _PERCENT.search(text):
        raw = _PERCENT.sub(lambda found: chr(int(found[1], 16)), text)
        # Only where every character fits a byte can the pairs be UTF-8 (full-width letters, say).
        yield _from_bytes(raw.encode("latin-1", "replace"))


def _entity(found: re.Match[str]) -> str:
    if found[3]:
        return html5.get(found[3] + found[4], found[0])
    code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code) if code <= _LAST_CODE else ""


def html_entities(text: str, _kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    if "&" in text and _ENTITY.search(text):
        yield _ENTITY.sub(_entity, text)


def _escape(found: re.Match[str]) -> str:
    code = int(found[5], 8) if found[5] else int("".join(filter(None, found.groups())), 16)
    return chr(code) if code <= _LAST_CODE else ""


def string_escapes(text: str, _kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    if "\\" in text and _ESCAPE.search(text):
        read = _ESCAPE.sub(_escape, text)
        # Two escapes may be the halves of one character beyond the first plane.
        yield read.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def markup(text: str, _kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    yield from rendered(text)


def english_digits(text: str, _kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    """`four eight two one` read as 4821."""
    low = text.lower()
    if sum(low.count(word) for word in _ENGLISH_DIGITS) >= _LEAST_ENGLISH_DIGITS:
        yield _ENGLISH_DIGIT.sub(lambda found: _ENGLISH_DIGITS[found[0].lower()], text)


def _chinese_value(words: str) -> str:
    """`四千八百二十一` as 4821; words without a unit are left to folding, digit by digit."""
    total = section = digit = 0
    met_unit = False
    for char in words:
        if char in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[char]
        elif char in _CHINESE_UNITS:
            section += (digit or 1) * _CHINESE_UNITS[char]
            digit, met_unit = 0, True
        else:
            total += (section + digit) * 10_000
            section, digit, met_unit = 0, 0, True
    return str(total + section + digit) if met_unit else words


def chinese_numbers(text: str, kinds: NDArray[np.uint8], _least: int) -> Iterator[str]:
    if _runs((kinds & NUMERAL) != 0, _LEAST_NUMERALS) and any(unit in text for unit in "十百千万"):
        yield _CHINESE_NUMBER.sub(lambda found: _chinese_value(found[0]), text)


def morse(text: str, _kinds: NDArray[np.uint8], least: int) -> Iterator[str]:
    """International Morse code: signs apart by spaces, words by strokes."""
    if not text.isascii():
        text = text.translate(_MARKS)
    if text.count(".") + text.count("-") < least:
        return
    runs = [run for run in _MORSE.findall(text) if len(run.split()) >= least]
    if runs:
        yield "\n".join(" ".join(map(_morse_word, _STROKE.split(run))) for run in runs)


def _morse_word(written: str) -> str:
    return "".join(_MORSE_SIGNS.get(sign, "") for sign in written.split())


DECODERS: tuple[tuple[str, Decoder], ...] = (
    ("base64", base64),
    ("base32", base32),
    ("base85", base85),
    ("hex", hexadecimal),
    ("url", url_encoding),
    ("html", html_entities),
    ("escape", string_escapes),
    ("tags", markup),
    ("morse", morse),
    ("number_words", english_digits),
    ("number_words", chinese_numbers),
)


def decodings(codes: Codes, least: int) -> Iterator[tuple[str, str]]:
    """(decoder, text) for every reading of `codes` that could hold `least` characters or more."""
    kinds = flags(codes)
    text = to_text(codes)
    for name, decoder in DECODERS:
        for decoded in decoder(text, kinds, least):
            yield name, decoded
