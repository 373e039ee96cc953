"""In which pieces does an answer go out, and when may the first of them?

A clean system reads the rights once more and then speaks: what went out is what was answered.
"""

from collections.abc import Sequence

from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_answers import AnswerFault
from rageval_kit.system.retrieval import Search
from rageval_kit.text.sentences import sentences

_DRAFTED_FROM = 5


def pieces(answer: str) -> tuple[str, ...]:
    """An answer cut where its sentences end; joined again they are the answer."""
    cut: list[str] = []
    rest = answer
    for sentence in sentences(answer):
        end = rest.index(sentence) + len(sentence) if sentence in rest else len(rest)
        cut.append(rest[:end])
        rest = rest[end:]
    return (*cut, rest) if rest else tuple(cut)


def drafted(
    found: Sequence[int], readable: Sequence[int], search: Search, fault: AnyFault | None
) -> Sequence[int]:
    """From what a draft is streamed before the answer; nothing in a clean system.

    `found`: what was retrieved; `readable`: what of that may be read now.
    """
    if fault is AnswerFault.STREAMS_UNFILTERED_DRAFT:
        return search.best_of_all(_DRAFTED_FROM)
    if fault is AnswerFault.STREAMS_BEFORE_RIGHTS and list(found) != list(readable):
        return found
    return ()
