"""Which rankings made before may be given again?

A whole search is found again under reader, state, times and words. What the reranker made of a set
of candidates is found again under the question, the candidates, and which of them may be seen: it
is the same for whoever has the same.
"""

from collections.abc import Callable, Hashable
from dataclasses import replace

from rageval_kit.system.belonging import Reader
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults_deputies import DeputyFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.newest import Newest
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.retrieval import Found, Search

_MOST_KEPT = 2048
Times = tuple[Hashable, ...]
Made = tuple[Found, tuple[str, ...]]  # with the wordings that were searched beside the question
Run = Callable[[Search, int], Made]


class ListCache:
    def __init__(self, config: EmbeddedConfig) -> None:
        self._fault = config.switched
        self._is_on = config.cache
        self._lists: Newest[Made] = Newest(_MOST_KEPT)
        self._reranked: Newest[Ranked] = Newest(_MOST_KEPT)

    def made(
        self, search: Search, reader: Reader, k: int, times: Times, run: Run
    ) -> tuple[Made, bool]:
        """What `run` made of the search, and whether that was known already."""
        if not self._is_on or search.exact:
            return run(search, k), False
        key = self._list_key(search, reader, k, times)
        known = self._lists.get(key)
        if known is not None:
            return known, True
        fresh = run(replace(search, keep=self._rerank), k)
        self._lists.put(key, fresh)
        return fresh, False

    def _list_key(self, search: Search, reader: Reader, k: int, times: Times) -> Hashable:
        key = (search.query.text, k, times)
        if self._fault is DeputyFault.LIST_CACHE_WITHOUT_PRINCIPAL:
            return (search.state.epoch, *key)
        if self._fault is DeputyFault.LIST_CACHE_IGNORES_RIGHTS:
            return (reader, *key)
        if self._fault is UnseenFaultB.LISTS_KEPT_BY_USER_ID:
            return (reader.principal_id, search.state.epoch, *key)
        return (reader, search.state.epoch, *key)

    def _rerank(
        self, search: Search, offered: Ranked, k: int, made: Callable[[], Ranked]
    ) -> Ranked:
        positions = offered[0]
        key: Hashable = (
            search.query.text,
            k,
            search.state.epoch,
            positions.tobytes(),
            search.visible.passages[positions].tobytes(),
        )
        if self._fault is DeputyFault.RERANK_CACHE_BY_QUERY:
            key = (search.query.text, k)
        return self._reranked.made(key, made)

    def clear(self) -> None:
        self._lists.clear()
        self._reranked.clear()
