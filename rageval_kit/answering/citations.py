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
    groups = [list(_ranges(found[1])) for found in _NUMBERS.finditer(text)]
    numbers = (number for group in groups for one in group for number in one)
    ids = dict.fromkeys(passages[number - 1].passage_id for number in numbers if 1 <= number <= n)
    dangling = dict.fromkeys(
        f"[{one[-1]}]"
        for group in groups
        for one in group
        if one and (len(one) == 1 or one[0] <= n) and not 1 <= one[-1] <= n
    )
    return Seen(tuple(ids), (*dangling, *named_sources(text)))


def named_sources(text: str) -> tuple[str, ...]:
    """What a line `Source: …` or `来源：…` names in words, as it stands there."""
    found = (match[1].strip(_AROUND) for match in _SOURCE.finditer(text))
    return tuple(dict.fromkeys(name for name in found if name))


def _ranges(numbers: str) -> Iterator[range]:
    for first, last, single in _RANGE.findall(numbers):
        begin = int(first or single)
        yield range(begin, int(last or begin) + 1)
