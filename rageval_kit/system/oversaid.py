"""What goes out beside an answer, and is any of it taken from what the reader may not see?"""

from base64 import b32encode
from dataclasses import replace
from urllib.parse import quote

from rageval_kit.records.target import ToolCall
from rageval_kit.system.cache import Served
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_spoken import SpokenFault
from rageval_kit.system.retrieval import Search
from rageval_kit.text.sentences import sentences

_HIGHLIGHTED = 80  # characters of a snippet in a link


def with_aids(served: Served, search: Search, fault: AnyFault | None) -> Served:
    """The answer alone: aids to reading it are made, under a fault, from the best match of all."""
    if not isinstance(fault, SpokenFault):
        return served
    best = search.best_of_all(1)
    if not best:
        return served
    text = search.state.passage(best[0]).text
    if fault is SpokenFault.CALL_HOLDS_PASSAGE:
        return replace(served, calls=(*served.calls, ToolCall("explain", text)))
    if fault is SpokenFault.STATE_IN_ANSWER:
        return replace(served, answer=f"{served.answer} {b32encode(text.encode()).decode()}")
    snippet = _unmarked((sentences(text) or [text])[0])
    if fault is SpokenFault.LINK_HOLDS_SNIPPET:
        return replace(served, links=(f"#:~:text={quote(snippet[:_HIGHLIGHTED])}",))
    return replace(served, answer=f"{served.answer} {snippet}")


def _unmarked(sentence: str) -> str:
    """The sentence without what stands in square brackets."""
    before, _, rest = sentence.partition("[")
    return before + rest.partition("]")[2] if rest else sentence
