"""Which passages answer a query for a reader, and what did each stage on the way hold?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.dedup import kept_apart, named
from rageval_kit.system.dense import Vectors, embed_texts
from rageval_kit.system.faults import Fault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.offered import stem
from rageval_kit.system.ranking import Positions, Ranked, best, coverage, fuse, reranked
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import SystemState
from rageval_kit.system.stuffing import titled

_NOTHING: Ranked = (np.zeros(0, dtype=np.int64), np.zeros(0))
_BATCH_CELLS = 1 << 24
_WALKED = 40  # passages that a walk over a graph of vectors meets before it stops


@dataclass(frozen=True, slots=True)
class Query:
    """`numbers` are those of the words the index knows, ascending; `weight` is that of all.

    A number stands once, or as often as the query says its word where repeats count.
    """

    text: str
    words: tuple[str, ...]
    numbers: NDArray[np.int32]
    weight: float
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Found:
    """What each stage held; `final` is what the search returns, best first."""

    sparse: Ranked | None
    dense: Ranked | None
    fused: Ranked
    rerank_input: Ranked | None
    final: Ranked


def read_queries(
    texts: Sequence[str], state: SystemState, config: EmbeddedConfig
) -> dict[str, Query]:
    """Each different text once: words, their numbers, its vector."""
    different = list(dict.fromkeys(texts))
    cut = [config.analyze(stem(text))[0] for text in different]
    vocabulary = state.lexicon.vocabulary
    vectors = embed_texts(cut, vocabulary, config.dimensions)
    queries: dict[str, Query] = {}
    for text, found, vector in zip(different, cut, vectors, strict=True):
        unique = tuple(dict.fromkeys(found))
        counted = found if config.count_repeats else unique
        numbers = sorted(n for word in counted if (n := vocabulary.number(word)) is not None)
        queries[text] = Query(
            text=text,
            words=unique,
            numbers=np.array(numbers, dtype=np.int32),
            weight=sum(vocabulary.weight(word) for word in unique),
            vector=vector,
        )
    return queries


def dense_scores(
    queries: Sequence[Query], state: SystemState, config: EmbeddedConfig
) -> list[NDArray[np.float32] | None]:
    """Cosines of each query with every passage: one product per segment for the whole batch."""
    if "dense" not in config.arms or not queries:
        return [None] * len(queries)
    rows: list[NDArray[np.float32] | None] = []
    step = max(1, _BATCH_CELLS // max(state.n_passages, 1))
    for begin in range(0, len(queries), step):
        block = np.stack([query.vector for query in queries[begin : begin + step]])
        parts = [segment.near.of(block) for segment in state.segments]
        rows.extend(parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1))
    return rows


Keep = Callable[["Search", Ranked, int, Callable[[], Ranked]], Ranked]


def _afresh(_: "Search", __: Ranked, ___: int, made: Callable[[], Ranked]) -> Ranked:
    return made()


@dataclass(frozen=True, slots=True)
class Search:
    """One query over one state for one reader.

    `keep` may have what the reranker makes of its candidates already. `exact`: by a scan of all
    that is permitted, as always here; only a seeded fault has an index to go by.
    """

    state: SystemState
    config: EmbeddedConfig
    query: Query
    cosine: NDArray[np.float32] | None
    visible: Visible
    exact: bool = False
    keep: Keep = _afresh

    def run(self, k: int) -> Found:
        mask, fault = self.visible.passages, self.config.switched
        if fault is Fault.ALWAYS_REFUSE:
            return self._nothing()
        early = np.ones_like(mask) if fault is PartFault.FILTERED_AT_THE_END else mask
        sparse = self._sparse(None if fault is Fault.SPARSE_ARM_UNFILTERED else early)
        dense = self._dense(None if fault is Fault.DENSE_ARM_UNFILTERED else early)
        if fault is Fault.FILTER_AFTER_TOP_K:
            # Each arm took its candidates from everything; few or none of them are the reader's.
            sparse, dense = (self._starved(self._sparse(None)), self._starved(self._dense(None)))
        fused = kept_apart(_only(early, self._fused(sparse, dense)), mask, self.state, fault)
        if not self.config.rerank:
            final = named(_cut(_only(mask, fused), k), self.state, fault)
            return Found(sparse, dense, _cut(fused, k), None, final)
        depth = max(k, self.config.rerank_depth)
        offered = _cut(fused, depth)
        if fault is Fault.RERANK_BEFORE_FILTER:
            offered = _cut(self.unfiltered(), depth)

        def made() -> Ranked:
            best_first = reranked(offered, self.covered(offered[0]))
            return named(_cut(_only(mask, best_first), k), self.state, fault)

        return Found(sparse, dense, _cut(fused, depth), offered, self.keep(self, offered, k, made))

    def unfiltered(self) -> Ranked:
        """The candidates as they are before anybody's rights, for seeded faults and the audit."""
        return self._fused(self._sparse(None), self._dense(None))

    def best_of_all(self, most: int) -> list[int]:
        """The first of the unfiltered candidates."""
        positions: list[int] = self.unfiltered()[0][:most].tolist()
        return positions

    def _nothing(self) -> Found:
        arms = self.config.arms
        return Found(
            _NOTHING if "sparse" in arms else None,
            _NOTHING if "dense" in arms else None,
            _NOTHING,
            _NOTHING if self.config.rerank else None,
            _NOTHING,
        )

    def _sparse(self, mask: NDArray[np.bool_] | None) -> Ranked | None:
        if "sparse" not in self.config.arms:
            return None
        parts = [
            titled(
                segment.sparse_scores(
                    self.query.numbers,
                    None if mask is None else mask[segment.start : segment.start + len(segment)],
                ),
                segment,
                self.query.numbers,
                self.config.switched,
            )
            for segment in self.state.segments
        ]
        scores = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return best(scores, self.config.candidates, 0.0, None)

    def _dense(self, mask: NDArray[np.bool_] | None) -> Ranked | None:
        if self.cosine is None:
            return None
        floor = self.config.dense_floor
        if self.config.switched is PartFault.SHORT_WALK and mask is not None and not self.exact:
            return _only(mask, best(self.cosine, _WALKED, floor, None))
        within = None if mask is None else np.flatnonzero(mask)
        return best(self.cosine, self.config.candidates, floor, within)

    def _starved(self, ranking: Ranked | None) -> Ranked | None:
        return None if ranking is None else _only(self.visible.passages, ranking)

    def _fused(self, sparse: Ranked | None, dense: Ranked | None) -> Ranked:
        rankings = [ranking for ranking in (sparse, dense) if ranking is not None]
        return fuse(rankings, self.config.fusion_constant)

    def covered(self, positions: Positions) -> NDArray[np.float64]:
        """By how much each of the passages covers the query."""
        return coverage(
            positions,
            self.query.numbers,
            self.query.weight,
            self.state.segments,
            self.state.lexicon.vocabulary,
        )


def search_for(text: str, state: SystemState, config: EmbeddedConfig, visible: Visible) -> Search:
    """A search for one text by itself."""
    query = read_queries([text], state, config)[text]
    row = dense_scores([query], state, config)[0]
    return Search(state, config, query, row, visible)


def _only(mask: NDArray[np.bool_], ranking: Ranked) -> Ranked:
    kept = mask[ranking[0]]
    return ranking[0][kept], ranking[1][kept]


def _cut(ranking: Ranked, n: int) -> Ranked:
    return ranking[0][:n], ranking[1][:n]
