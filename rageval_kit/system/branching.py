"""How is the index of another world made from that of a world much like it?

Passages that both worlds share keep their words and features; computed again is only what hangs on
the whole collection: how telling each word is, the average length, and so scores and vectors. What
comes of it is, number for number, what indexing the other world anew would give.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from rageval_kit.records.world import AccessPolicy, Chunk, Document, Version
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.dense import FeatureTable
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.passages import texts
from rageval_kit.system.segment import (
    Bm25Index,
    Lexicon,
    Segment,
    Source,
    average_length,
    sources,
    whole_segment,
)
from rageval_kit.system.vocabulary import Bag, weighed


class Shared:
    """The first segment of a world, and what it was made from."""

    def __init__(
        self,
        segment: Segment,
        lexicon: Lexicon,
        documents: Mapping[str, Document],
        positions: Mapping[str, int],
        fault: AnyFault | None,
    ) -> None:
        self._fault = fault
        self.segment, self.lexicon = segment, lexicon
        self._documents, self._positions = documents, positions

    def rows(self, document: Document) -> Iterator[tuple[Version, Chunk, int]]:
        """Each passage of a document with its row here; -1 where it is not the same here."""
        base = self._documents.get(document.document_id)
        alike = base is not None and _whole(base) == _whole(document)
        there = {v.version_id: v for v in base.versions} if base is not None and alike else {}
        for version in document.versions:
            known = there.get(version.version_id)
            if known is version:
                yield from ((version, c, self._positions[c.chunk_id]) for c in version.chunks)
                continue
            if known is None or _about(known) != _about(version):
                known = replace(version, chunks=())
            chunks = {c.chunk_id: c for c in known.chunks}
            for chunk, text in texts(version, self._fault):
                row = self._positions[chunk.chunk_id] if chunk.chunk_id in chunks else -1
                is_here = row >= 0 and chunks[chunk.chunk_id] == chunk
                is_here = is_here and self.segment.passages[row].text == text
                yield version, chunk, row if is_here else -1


def _whole(document: Document) -> tuple[object, ...]:
    """What a passage takes from its document."""
    return document.label, document.authority, document.owner_id


def _about(version: Version) -> tuple[object, ...]:
    """What a passage takes from its version."""
    return version.title, version.valid_from, version.metadata


def derived_segment(
    shared: Shared, documents: Iterable[Document], policy: AccessPolicy, config: EmbeddedConfig
) -> tuple[Segment, Lexicon]:
    rows: list[int] = []
    found: list[Source] = []
    for document in documents:
        placed = list(shared.rows(document))
        new = {chunk.chunk_id for _, chunk, row in placed if row < 0}
        held = {version.version_id: version for version, _, row in placed if row < 0}
        with_new = [replace(document, versions=tuple(held.values()))] if held else []
        read = sources(with_new, policy, config.analyze, config.switched)
        fresh = [source for source in read if source.passage.chunk_id in new]
        numbers = iter(
            range(len(shared.segment) + len(found), len(shared.segment) + len(found) + len(fresh))
        )
        rows += [row if row >= 0 else next(numbers) for _, _, row in placed]
        found += fresh
    old = shared.lexicon.vocabulary
    known = replace(old, extra={}).extended(
        word for s in found for part in s.words for word in part
    )
    bag = Bag.joined(shared.segment.bag, Bag.of((s.words for s in found), known.numbered))
    bag = bag.taken(np.array(rows, dtype=np.int64))
    table = shared.lexicon.table.followed_by(FeatureTable(list(known.extra), config.dimensions))
    # words are numbered as they are first met, as if all were read again
    first = np.full(len(known.base) + len(known.extra), len(bag.numbers))
    first[bag.numbers[::-1]] = np.arange(len(bag.numbers))[::-1]
    order = np.argsort(first, kind="stable")[: int((first < len(bag.numbers)).sum())]
    again = np.zeros(len(first), dtype=np.int32)
    again[order] = np.arange(len(order), dtype=np.int32)
    bag = replace(bag, numbers=again[bag.numbers])
    names = [*known.base, *known.extra]
    vocabulary = weighed(bag, {names[n]: new for new, n in enumerate(order.tolist())})
    lexicon = Lexicon(vocabulary, average_length(bag), config.k1, config.b, table.of(order))
    index = Bm25Index.derived(bag, len(order), config.k1, config.b) if bag.counts.any() else None
    passages = [*shared.segment.passages, *(source.passage for source in found)]
    return whole_segment([passages[row] for row in rows], bag, lexicon, index)
