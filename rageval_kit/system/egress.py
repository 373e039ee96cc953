"""What does the system send to others to have a question embedded, ranked and answered?

An embedder is sent the question, a model the question and its context. Candidates are ranked in the
house unless the reranker is a hosted one; what it is sent has passed the rights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rageval_kit.records.target import Seen, ToolCall
from rageval_kit.system.cache import Served
from rageval_kit.system.config import HOSTED, EmbeddedConfig
from rageval_kit.system.faults_answers import AnswerFault
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.retrieval import Found, Query, Search

EMBEDDER, RERANKER, MODEL = HOSTED
_JUDGE = "quality-judge"


@dataclass(frozen=True, slots=True)
class Sent:
    """One message to a processor: what was asked, and the passages that went along."""

    processor: str
    text: str
    ids: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def call(self) -> ToolCall:
        return ToolCall(self.processor, "\n".join((self.text, *self.texts)))


def as_seen(sent: Sequence[Sent]) -> Seen:
    """Every passage once, under its id, beside the messages as they went out."""
    passages = {i: text for one in sent for i, text in zip(one.ids, one.texts, strict=True)}
    return Seen(tuple(passages), tuple(passages.values()), calls=tuple(one.call for one in sent))


def embedded(query: Query, config: EmbeddedConfig) -> list[Sent]:
    is_sent = EMBEDDER in config.hosted and "dense" in config.arms
    return [Sent(EMBEDDER, query.text)] if is_sent else []


def to_search(search: Search, found: Found) -> list[Sent]:
    """What is sent until there is a list."""
    fault, config, text = search.config.switched, search.config, search.query.text
    sent = embedded(search.query, config)
    if fault is AnswerFault.EMBEDDER_SENT_FEEDBACK:
        sent.append(_with_passages(EMBEDDER, text, search.unfiltered(), 1, search))
    if fault is AnswerFault.RERANKER_SENT_UNFILTERED:
        sent.append(
            _with_passages(RERANKER, text, search.unfiltered(), config.rerank_depth, search)
        )
    elif RERANKER in config.hosted and found.rerank_input is not None:
        sent.append(_with_passages(RERANKER, text, found.rerank_input, None, search))
    return sent


def to_answer(served: Served, search: Search) -> list[Sent]:
    """What is sent for one answer that was made."""
    question, config = search.query.text, search.config
    context = served.context_ids, served.context_texts
    sent = [Sent(MODEL, question, *context)] if MODEL in config.hosted else []
    if config.switched is AnswerFault.JUDGE_SENT_CONTEXT:
        sent.append(Sent(_JUDGE, f"{question}\n{served.answer}", *context))
    return sent


def _with_passages(
    processor: str, text: str, ranked: Ranked, most: int | None, search: Search
) -> Sent:
    passages = [search.state.passage(position) for position in ranked[0][:most].tolist()]
    ids = tuple(passage.chunk_id for passage in passages)
    return Sent(processor, text, ids, tuple(passage.text for passage in passages))
