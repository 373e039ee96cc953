"""Where does one document end and the next begin? Never where a text says so.

A mark such as `[Document 9]` at the head of a line would pass for the number of a source, so it is
taken out of what is given to whoever answers.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.segment import Passage

# Every part is bounded, and a match begins at a bracket: linear in the length of the text.
_MARK = re.compile(
    r"^[^\S\n]{0,8}[\[【]\s{0,4}((?:document|doc|source|passage|文档|文件|来源|资料)"
    r"\s{0,4}(?:no\.|#|第)?\s{0,4}\d{1,6})\s{0,4}[\]】][^\S\n]{0,8}",
    re.IGNORECASE | re.MULTILINE,
)
_OFFICIAL = 1_000_000


def told_apart(
    passages: Sequence[Passage], titles: Sequence[str], fault: AnyFault | None
) -> tuple[list[Passage], list[str]]:
    """The passages, and their titles, as they are given to whoever answers."""
    if fault is TrustFault.BOUNDARIES_BELIEVED:
        return _split(passages, titles)
    whole = [
        replace(passage, text=_MARK.sub("", passage.text)) if _is_marked(passage.text) else passage
        for passage in passages
    ]
    return whole, list(titles)


def _is_marked(text: str) -> bool:
    """Most passages are one line: then there is one place to look at."""
    return (_MARK.search if "\n" in text else _MARK.match)(text) is not None


def _split(passages: Sequence[Passage], titles: Sequence[str]) -> tuple[list[Passage], list[str]]:
    """What follows a mark becomes a source of its own, and what it says of itself is believed."""
    parts: list[Passage] = []
    named: list[str] = []
    for passage, title in zip(passages, titles, strict=True):
        first, *rest = _MARK.split(passage.text)
        parts.append(replace(passage, text=first))
        named.append(title)
        for mark, text in zip(rest[::2], rest[1::2], strict=True):
            parts.append(replace(passage, chunk_id=mark, text=text, authority=_OFFICIAL))
            named.append(title)
    return parts, named
