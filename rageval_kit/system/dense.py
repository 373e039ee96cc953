"""How near are two texts, by hashed words and character trigrams, in Chinese and English?"""

from collections.abc import Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.vocabulary import Bag, Vocabulary

# Vectors are rounded to whole numbers of this length: sums of products stay below 2**24, so that
# float32 arithmetic is exact and a score is the same in a batch of one or of a thousand.
_LENGTH = 4000.0
_TRIGRAM_SHARE = 1.0
_LONGER = 4
# A single ideograph says less than the pair it stands in.
_CHARACTER_WEIGHT = 0.5
_MANY_PASSAGES = 4096
_SPREAD = 2654435761

Vectors = NDArray[np.float32]


def _trigrams(word: str) -> list[str]:
    """Of a longer Latin word, framed, so that a typing error leaves most of it alike."""
    if len(word) >= _LONGER and word.isascii() and word.isalpha():
        framed = f"<{word}>"
        return [framed[i : i + 3] for i in range(len(word))]
    return []


class FeatureTable:
    """Dimension, sign and weight of each feature of a list of words: itself, then its trigrams."""

    def __init__(self, words: Sequence[str], dimensions: int) -> None:
        self.dimensions = dimensions
        parts = [_trigrams(word) for word in words]
        n_parts = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
        self.lengths = n_parts + 1
        self.indptr = np.concatenate([[0], np.cumsum(self.lengths)])
        total = int(self.indptr[-1])
        is_word = np.zeros(total, dtype=np.bool_)
        is_word[self.indptr[:-1]] = True
        hashes = np.empty(total, dtype=np.uint64)
        hashes[is_word] = np.fromiter(
            (crc32(word.encode()) for word in words), dtype=np.uint64, count=len(words)
        )
        hashes[~is_word] = np.fromiter(
            (crc32(part.encode(), 1) for row in parts for part in row),
            dtype=np.uint64,
            count=total - len(words),
        )
        weights = np.empty(total)
        weights[is_word] = [
            _CHARACTER_WEIGHT if len(word) == 1 and not word.isascii() else 1.0 for word in words
        ]
        weights[~is_word] = np.repeat(_TRIGRAM_SHARE / np.sqrt(np.maximum(n_parts, 1)), n_parts)
        mixed = (hashes * np.uint64(_SPREAD)) & np.uint64(0xFFFFFFFF)
        self.dims = ((mixed >> np.uint64(7)) % np.uint64(dimensions)).astype(np.int64)
        self.signed = np.where(mixed & np.uint64(1), weights, -weights)

    def of(self, numbers: NDArray[np.int64]) -> "FeatureTable":
        """The table of these words, in their order."""
        made = FeatureTable([], self.dimensions)
        made.lengths = self.lengths[numbers]
        made.indptr = np.concatenate([[0], np.cumsum(made.lengths)])
        shift = np.repeat(self.indptr[numbers] - made.indptr[:-1], made.lengths)
        flat = np.arange(int(made.indptr[-1])) + shift
        made.dims, made.signed = self.dims[flat], self.signed[flat]
        return made

    def followed_by(self, other: "FeatureTable") -> "FeatureTable":
        """The words of both, those of the other after these."""
        made = FeatureTable([], self.dimensions)
        made.lengths = np.concatenate([self.lengths, other.lengths])
        made.indptr = np.concatenate([[0], np.cumsum(made.lengths)])
        made.dims = np.concatenate([self.dims, other.dims])
        made.signed = np.concatenate([self.signed, other.signed])
        return made

    def embed(
        self,
        indptr: NDArray[np.int64],
        words: NDArray[np.int64],
        weights: NDArray[np.float64],
    ) -> Vectors:
        """Rows of words (numbers in this table) with weights; a row without words is zero."""
        n_rows = len(indptr) - 1
        vectors = np.zeros((n_rows, self.dimensions), dtype=np.float32)
        for begin in range(0, n_rows, _MANY_PASSAGES):
            stop = min(begin + _MANY_PASSAGES, n_rows)
            part = slice(int(indptr[begin]), int(indptr[stop]))
            rows = np.repeat(np.arange(stop - begin), np.diff(indptr[begin : stop + 1]))
            sums = self._sums(rows, words[part], weights[part], stop - begin)
            vectors[begin:stop] = _whole(sums.astype(np.float32))
        return vectors

    def _sums(
        self,
        rows: NDArray[np.int64],
        words: NDArray[np.int64],
        weights: NDArray[np.float64],
        n_rows: int,
    ) -> NDArray[np.float64]:
        lengths = self.lengths[words]
        total = int(lengths.sum())
        # positions of all features of all words, without a loop
        before = np.cumsum(lengths) - lengths
        feature = np.arange(total) - np.repeat(before - self.indptr[words], lengths)
        cell = np.repeat(rows, lengths) * self.dimensions + self.dims[feature]
        value = np.repeat(weights, lengths) * self.signed[feature]
        sums = np.bincount(cell, weights=value, minlength=n_rows * self.dimensions)
        return sums.astype(np.float64).reshape(n_rows, self.dimensions)


def _whole(vectors: Vectors) -> Vectors:
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    scale = np.divide(_LENGTH, norms, out=np.zeros_like(norms), where=norms > 0)
    whole: Vectors = np.rint(vectors * scale[:, None]).astype(np.float32)
    return whole


def embed_bag(bag: Bag, vocabulary: Vocabulary, table: FeatureTable) -> Vectors:
    """Passages whose words are numbered as in the table."""
    weights = (1.0 + np.log(bag.counts)) * vocabulary.weights(bag.numbers)
    return table.embed(bag.indptr, bag.numbers.astype(np.int64), weights)


def embed_texts(texts: Sequence[Sequence[str]], vocabulary: Vocabulary, dimensions: int) -> Vectors:
    """Texts as lists of words; words need not be known to the vocabulary."""
    local: dict[str, int] = {}
    rows: list[dict[int, int]] = []
    for text in texts:
        counts: dict[int, int] = {}
        for word in text:
            number = local.setdefault(word, len(local))
            counts[number] = counts.get(number, 0) + 1
        rows.append(counts)
    weight = np.array([vocabulary.weight(word) for word in local], dtype=np.float64)
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    flat = np.array([number for row in rows for number in row], dtype=np.int64)
    counted = np.array([count for row in rows for count in row.values()], dtype=np.float64)
    table = FeatureTable(list(local), dimensions)
    return table.embed(indptr, flat, (1.0 + np.log(counted)) * weight[flat])


def cosines(queries: Vectors, passages: Vectors) -> Vectors:
    """Shape (queries, passages); exact, see `_LENGTH`.

    One query is too little work to be worth waking several threads for, as a matrix product would.
    """
    products: Vectors = np.vecdot(passages[np.newaxis], queries[:, np.newaxis])
    scaled: Vectors = products / np.float32(_LENGTH * _LENGTH)
    return scaled
