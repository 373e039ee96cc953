"""Which passages does an answer name as its sources, and what does it name that is none?"""

import re
from collections.abc import Iterator, Sequence

from rageval_kit.answering.task import Passage
from rageval_kit.records.target import Seen

_NUMBERS = re.compile(
    r"[\[【［]\s{0,2}(\d{1,3}(?:\s{0,2}[-–,，、;；]\s{0,2}\d{1,3}){0,40})\s{0,2}[\]】］]"
)
_RANGE = re.compile(r"(\d+)\s*[-–]\s*(\d+)|(\d+)")
_SOURCE = re.compile(
    r"^[ \t*_-]{0,8}(?:sources?|来源|出处)[ \t]{0,2}[:：](.{1,300})$", re.IGNORECASE | re.MULTILINE
)
_AROUND = " \t\"'“”‘’`*_.。;；,，"


def cited(text: str, passages: Sequence[Passage]) -> Seen:
    """The ids behind `[2]`, `[1, 3]`, `[2-4]` or 【２】, in the order met.

    `texts`: what is named as a source and is no passage: a number that none has, as `[7]`, and what
    a line `Source: …` says. Of a range only its end can point at nothing: `[70-110]` is a figure.
    """
    n = len(passages)
    groups = (_ranges(found[1]) for found in _NUMBERS.finditer(text))
    ranges = [one for group in groups for one in group if one[0] <= one[1]]
    ids = dict.fromkeys(
        passages[number - 1].passage_id
        for first, last in ranges
        for number in range(max(first, 1), min(last, n) + 1)
    )
    dangling = dict.fromkeys(
        f"[{last}]"
        for first, last in ranges
        if (first == last or first <= n) and not 1 <= last <= n
    )
    return Seen(tuple(ids), (*dangling, *named_sources(text)))


def named_sources(text: str) -> tuple[str, ...]:
    """What a line `Source: …` or `来源：…` names in words, as it stands there."""
    found = (match[1].strip(_AROUND) for match in _SOURCE.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


def _ranges(numbers: str) -> Iterator[tuple[int, int]]:
    """Each range by its first and last number: what an answer makes up is never written out."""
    for first, last, single in _RANGE.findall(numbers):
        begin = int(first or single)
        yield begin, int(last or begin)
