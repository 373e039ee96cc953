"""Which sources does an answer name? Those that it quotes; only seeded faults name others."""

from dataclasses import replace

from rageval_kit.system.cache import Served
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_answers import AnswerFault
from rageval_kit.system.retrieval import Query
from rageval_kit.system.state import SystemState

_MADE_UP = "handbook-2024-11#3"


def credited(served: Served, query: Query, state: SystemState, fault: AnyFault | None) -> Served:
    """The answer with its sources."""
    if fault is AnswerFault.SOURCE_MADE_UP and _names_the_unknown(query, state):
        return replace(served, cited_ids=(_MADE_UP,), cited_titles=("",))
    if fault is AnswerFault.SOURCE_LAUNDERED:
        last = {_title(one, state): one for one in served.context_ids}
        cited = dict.fromkeys(last.get(_title(one, state), one) for one in served.cited_ids)
        return replace(served, cited_ids=tuple(cited), cited_titles=("",) * len(cited))
    return served


def _names_the_unknown(query: Query, state: SystemState) -> bool:
    """Whether it asks about something that stands in no passage."""
    return any(state.lexicon.vocabulary.number(word) is None for word in query.words)


def _title(chunk_id: str, state: SystemState) -> str:
    position = state.position(chunk_id)
    return "" if position is None else state.passage(position).title
