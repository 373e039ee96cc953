"""How is a question searched for that is two in one, or that leans on the question before it?

Whatever is made of a question, each search carries the rights of its caller.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rageval_kit.records.target import Caller, Request
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.memory import Memory, owner_of
from rageval_kit.system.names import exact_id
from rageval_kit.system.ranking import Ranked, fuse
from rageval_kit.system.retrieval import Found, Query, Search, dense_scores, read_queries
from rageval_kit.system.rights import everything

_LEANING = re.compile(
    r"\s*(?:(?:and )?(?:what|how) about|and for)\s+(.+?)\s*[?？]\s*|\s*那么?(.+?)呢\s*[?？]\s*",
    re.IGNORECASE,
)
_ENDS = re.compile(r"(?<=[?？])\s*")
_ASKING = re.compile(
    r"\b(?:and|what|who|when|where|which|how|is|are|was|were|does|do|did)\b|什么|多少|谁|哪|吗|[?？]",
    re.IGNORECASE,
)
_MOST_PARTS = 4


def resolved(request: Request, memory: Memory, fault: AnyFault | None) -> Request:
    """A question that leans on the one before it, with what that one asked put to it.

    It belongs to the conversation, and is searched for whoever this is: its caller, since no other
    can reach it.
    """
    leaning = _LEANING.fullmatch(request.query)
    if leaning is None:
        return request
    before = memory.of(owner_of(request, exact_id(request.caller.principal_id), fault))
    if not before.questions:
        return request
    topic = leaning[1] or leaning[2]
    caller = replace(request.caller, principal_id=before.asker)
    if fault is UnseenFaultB.FOLLOW_UP_LOSES_CONTEXT:
        caller = Caller(before.asker)
    return replace(request, query=f"{topic} {before.questions[-1]}", caller=caller)


def searched(search: Search, k: int) -> tuple[Found, tuple[str, ...]]:
    """What a question finds, and the questions that it was searched by beside itself.

    One that is several is searched for whole, by each of its parts, and by the passage that would
    answer it.
    """
    whole = search.run(k)
    if search.config.switched is UnseenFaultB.RETRIED_WITHOUT_FILTER and not len(whole.final[0]):
        whole = replace(search, visible=everything(search.state.n_passages)).run(k)
    parts = _parts(search.query)
    if not parts:
        return whole, ()
    texts = (*parts, " ".join(_ASKING.sub(" ", search.query.text).split()))
    state, config = search.state, search.config
    queries = read_queries(texts, state, config)
    asked = [queries[text] for text in texts if queries[text].words]
    rows = dense_scores(asked, state, config)
    found = [whole]
    for query, row in zip(asked, rows, strict=True):
        visible = search.visible
        if config.switched in _unfiltered(query.text, texts):
            visible = everything(state.n_passages)
        found.append(replace(search, query=query, cosine=row, visible=visible).run(k))
    return _joined(found, k, config.fusion_constant), tuple(query.text for query in asked)


def _parts(query: Query) -> tuple[str, ...]:
    """The questions of which a question is made; none where it is one."""
    parts = [part.strip() for part in _ENDS.split(query.text) if part.strip()]
    is_several = 1 < len(parts) <= _MOST_PARTS and all(part[-1] in "?？" for part in parts)
    return tuple(parts) if is_several else ()


def _unfiltered(text: str, texts: Sequence[str]) -> tuple[PartFault, ...]:
    """Under which faults this one of the searches goes without the caller's rights."""
    if text == texts[-1]:
        return (PartFault.HYPOTHETICAL_UNFILTERED,)
    return (PartFault.SECOND_QUESTION_UNFILTERED,) if text == texts[1] else ()


def _joined(found: Sequence[Found], k: int, constant: int) -> Found:
    """The rankings of each stage fused by rank."""

    def fused(of: Callable[[Found], Ranked | None]) -> Ranked | None:
        rankings = [ranking for one in found if (ranking := of(one)) is not None]
        return fuse(rankings, constant) if rankings else None

    final = fuse([one.final for one in found], constant)
    return Found(
        fused(lambda one: one.sparse),
        fused(lambda one: one.dense),
        fuse([one.fused for one in found], constant),
        fused(lambda one: one.rerank_input),
        (final[0][:k], final[1][:k]),
    )
