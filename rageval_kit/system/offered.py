"""What is asked, without the answers that the question offers to choose from?"""

import re

_OFFERED = re.compile(r"(?<![A-Za-z0-9])A[)）.、].+?(?<![A-Za-z0-9])B[)）.、]", re.DOTALL)
_END = re.compile(r"[.?!。？！]\s*")


def stem(question: str) -> str:
    """Up to the sentence that lists the options: their words say nothing of where to look."""
    offered = _OFFERED.search(question)
    if offered is None:
        return question
    ends = [found.end() for found in _END.finditer(question, 0, offered.start())]
    return question[: ends[-1]] if ends else question
