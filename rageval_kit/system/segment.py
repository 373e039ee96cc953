"""What is one searchable part of the index, and how are parts built and joined?

The first segment holds what was there at connection; documents published later form small
segments, joined when they have grown alike, so that publishing never rebuilds the whole.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.world import AccessPolicy, Document, Version
from rageval_kit.system.analysis import Analyzer
from rageval_kit.system.block import level_of
from rageval_kit.system.dense import FeatureTable, Vectors, embed_bag, embed_texts
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.instants import start_of
from rageval_kit.system.nearness import Nearness
from rageval_kit.system.passages import texts
from rageval_kit.system.vocabulary import (
    Bag,
    Vocabulary,
    first_bag,
)
from rageval_kit.text.words import words_and_units

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Passage:
    """`text` begins with the table's header where there is one; `length` is its budget."""

    chunk_id: str
    document_id: str
    version_id: str
    title: str
    text: str
    kind: str
    length: int
    authority: int = 0
    since: int = 0  # when its version came into force, in microseconds
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A passage with the words it is found by."""

    passage: Passage
    body: list[str]
    title: list[str]

    @property
    def words(self) -> tuple[list[str], list[str]]:
        return (self.body, self.title)


def sources(
    documents: Iterable[Document],
    policy: AccessPolicy,
    analyze: Analyzer = words_and_units,
    fault: AnyFault | None = None,
) -> Iterator[Source]:
    """Passages in the order of documents, versions and chunks.

    The document's id finds each of them: whoever may see a passage may see whose it is. A title's
    words find a passage only where whoever may read the passage may read the title; otherwise a
    search would tell a reader what a title he may not see says.
    """
    for document in documents:
        own, _ = analyze(document.document_id)
        for version in document.versions:
            title, _ = analyze(version.title)
            named = [*own, *analyze(" ".join(fields_found_by(document, version, fault)))[0]]
            for chunk, text in texts(version, fault):
                body, length = analyze(text)
                shows_title = chunk.label is None or (
                    document.label is not None
                    and level_of(chunk.label, policy) >= level_of(document.label, policy)
                )
                shows_title |= fault is UnseenFaultB.HIDDEN_TITLE_FINDS
                yield Source(
                    Passage(
                        chunk.chunk_id,
                        document.document_id,
                        version.version_id,
                        version.title,
                        text,
                        chunk.kind,
                        length,
                        document.authority,
                        start_of(version.valid_from),
                        version.metadata,
                    ),
                    body,
                    named + title if shows_title else named,
                )


def fields_found_by(document: Document, version: Version, fault: AnyFault | None) -> list[str]:
    """The fields, never shown to readers, by which passages are found all the same: none."""
    if fault is WorldFault.METADATA_SEARCHABLE:
        return [value for _, value in version.metadata]
    if fault is WorldFault.OWNER_SEARCHABLE:
        return [document.owner_id or ""]
    return []


@dataclass(frozen=True, slots=True)
class Lexicon:
    """BM25 statistics of the first index, by which later segments are scored too.

    `table`: the features of the words of the first index.
    """

    vocabulary: Vocabulary
    average_length: float
    k1: float
    b: float
    table: FeatureTable


@dataclass(frozen=True, slots=True)
class Segment:
    """`bm25` is set for the first segment only; others carry the impact of each word in `bag`."""

    start: int
    passages: tuple[Passage, ...]
    bag: Bag
    vectors: Vectors
    bm25: Any
    impacts: Scores
    near: Nearness = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "near", Nearness(self.vectors))

    def __len__(self) -> int:
        return len(self.passages)

    def sparse_scores(self, numbers: NDArray[np.int32], mask: NDArray[np.bool_] | None) -> Scores:
        """BM25 of each passage; what the mask leaves out scores 0 and is no candidate.

        `numbers` ascend; one that stands there twice counts twice.
        """
        if self.bm25 is not None:
            known = numbers[numbers < self.bm25.n_words]
            found: Scores = self.bm25.scores(known, mask)
            return found
        hit = np.flatnonzero(np.isin(self.bag.numbers, numbers))
        rows = np.searchsorted(self.bag.indptr, hit, side="right") - 1
        held = self.bag.numbers[hit]
        times = np.searchsorted(numbers, held, "right") - np.searchsorted(numbers, held, "left")
        weights = self.impacts[hit] * times
        scores = np.bincount(rows, weights=weights, minlength=len(self)).astype(np.float32)
        return scores if mask is None else scores * mask

    def holding(self, number: int, *, in_body: bool) -> NDArray[np.int64]:
        """Rows of the passages that hold a word."""
        hit = np.flatnonzero(self.bag.numbers == number)
        if in_body:
            hit = hit[self.bag.in_body[hit]]
        return np.searchsorted(self.bag.indptr, hit, side="right") - 1


class Bm25Index:
    """bm25s over numbered words: scores of one query over the first segment."""

    def __init__(self, bag: Bag, n_words: int, k1: float, b: float) -> None:
        self.n_words = n_words
        self._index = _empty_index(k1, b)
        flat = np.repeat(bag.numbers, bag.counts).tolist()
        ends = np.concatenate([[0], np.cumsum(bag.counts)])[bag.indptr].tolist()
        token_lists = [flat[ends[i] : ends[i + 1]] for i in range(len(bag))]
        numbers = {str(number): number for number in range(n_words)}
        self._index.index((token_lists, numbers), create_empty_token=False, show_progress=False)

    @classmethod
    def derived(cls, bag: Bag, n_words: int, k1: float, b: float) -> "Bm25Index":
        """What the same would index, from counts that are there: the very same numbers."""
        made = cls.__new__(cls)
        made.n_words = n_words
        index = _empty_index(k1, b)
        rows, words = bag.rows, bag.numbers
        held = np.bincount(words, minlength=n_words)
        kinds, kind = np.unique(held, return_inverse=True)
        telling = [math.log(1 + (len(bag) - n + 0.5) / (n + 0.5)) for n in kinds.tolist()]
        idf = np.array(telling, dtype=np.float32)[kind]
        lengths = np.bincount(rows, weights=bag.counts, minlength=len(bag))
        norm = k1 * ((1 - b) + b * lengths / lengths.mean())
        times = bag.counts.astype(np.float32)
        scores = (idf[words] * (times / (norm[rows] + times))).astype(np.float32)
        order = np.argsort(words, kind="stable")
        index.scores = {
            "data": scores[order],
            "indices": rows[order].astype(np.int32),
            "indptr": np.concatenate([[0], np.cumsum(held)]),
            "num_docs": len(bag),
        }
        index.nonoccurrence_array = None
        made._index = index  # noqa: SLF001 - of its own kind
        return made

    def scores(self, numbers: NDArray[np.int32], mask: NDArray[np.bool_] | None) -> Scores:
        found: Scores = self._index.get_scores_from_ids(numbers, weight_mask=mask)
        return found


def _empty_index(k1: float, b: float) -> Any:
    import bm25s

    return bm25s.BM25(
        k1=k1, b=b, method="lucene", backend="numpy", csc_backend="numpy", auto_compile=False
    )


def first_segment(
    found: Iterable[Source], dimensions: int, k1: float, b: float
) -> tuple[Segment, Lexicon]:
    """Words are counted as the passages come by, so that no list of them is kept."""
    passages: list[Passage] = []

    def passing() -> Iterator[tuple[list[str], list[str]]]:
        for source in found:
            passages.append(source.passage)
            yield source.words

    bag, vocabulary = first_bag(passing())
    table = FeatureTable(list(vocabulary.base), dimensions)
    index = Bm25Index(bag, len(vocabulary.base), k1, b) if bag.counts.any() else None
    return whole_segment(
        passages, bag, Lexicon(vocabulary, average_length(bag), k1, b, table), index
    )


def average_length(bag: Bag) -> float:
    total = float(bag.counts.sum())
    return total / len(bag) if total else 1.0


def whole_segment(
    passages: Sequence[Passage], bag: Bag, lexicon: Lexicon, index: "Bm25Index | None"
) -> tuple[Segment, Lexicon]:
    """The first segment of an index, with its statistics."""
    segment = Segment(
        start=0,
        passages=tuple(passages),
        bag=bag,
        vectors=embed_bag(bag, lexicon.vocabulary, lexicon.table),
        bm25=index,
        impacts=np.zeros(0, dtype=np.float32),
    )
    return segment, lexicon


def later_segment(
    found: Sequence[Source], start: int, lexicon: Lexicon, dimensions: int
) -> tuple[Segment, Lexicon]:
    texts = [source.words for source in found]
    vocabulary = lexicon.vocabulary.extended(
        word for body, title in texts for part in (body, title) for word in part
    )
    bag = Bag.of(texts, vocabulary.numbered)
    rows = bag.rows
    lengths = np.bincount(rows, weights=bag.counts, minlength=len(bag))
    k1, b = lexicon.k1, lexicon.b
    norm = k1 * (1.0 - b + b * lengths[rows] / lexicon.average_length)
    impacts = vocabulary.weights(bag.numbers) * bag.counts / (norm + bag.counts)
    segment = Segment(
        start=start,
        passages=tuple(source.passage for source in found),
        bag=bag,
        vectors=embed_texts([body + title for body, title in texts], vocabulary, dimensions),
        bm25=None,
        impacts=impacts.astype(np.float32),
    )
    return segment, replace(lexicon, vocabulary=vocabulary)


def joined(segments: tuple[Segment, ...], new: Segment) -> tuple[Segment, ...]:
    """The segments with one more at the end; neighbours grown alike are joined, never the first."""
    kept = list(segments)
    while len(kept) > 1 and len(kept[-1]) <= 2 * len(new):
        last = kept.pop()
        new = Segment(
            start=last.start,
            passages=last.passages + new.passages,
            bag=Bag.joined(last.bag, new.bag),
            vectors=np.concatenate([last.vectors, new.vectors]),
            bm25=None,
            impacts=np.concatenate([last.impacts, new.impacts]),
        )
    return (*kept, new)
