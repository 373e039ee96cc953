"""Which words does the index know, and how telling is each?"""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Numbers of words: those of the first index with their weights, and those met later.

    Weights are the inverse document frequencies of the first index; a word met later weighs as one
    in no passage, so that adding a document changes no other score.
    """

    base: Mapping[str, int]
    extra: Mapping[str, int]
    idf: NDArray[np.float64]
    rare: float

    def number(self, word: str) -> int | None:
        found = self.base.get(word)
        return self.extra.get(word) if found is None else found

    def numbered(self, word: str) -> int:
        """The number of a word that is known to be here."""
        found = self.base.get(word)
        return self.extra[word] if found is None else found

    def weight(self, word: str) -> float:
        found = self.base.get(word)
        return self.rare if found is None else float(self.idf[found])

    def weights(self, numbers: NDArray[np.int32]) -> NDArray[np.float64]:
        known = numbers < len(self.idf)
        if known.all():
            return self.idf[numbers]
        found = np.full(len(numbers), self.rare)
        found[known] = self.idf[numbers[known]]
        return found

    def extended(self, words: Iterable[str]) -> "Vocabulary":
        extra = dict(self.extra)
        for word in words:
            if word not in self.base and word not in extra:
                extra[word] = len(self.base) + len(extra)
        return Vocabulary(self.base, extra, self.idf, self.rare)


@dataclass(frozen=True, slots=True)
class Bag:
    """Words of passages without order: `numbers[indptr[i]:indptr[i+1]]`, once each, with counts.

    `in_body` is false for a word that stands in the title only.
    """

    indptr: NDArray[np.int64]
    numbers: NDArray[np.int32]
    counts: NDArray[np.int32]
    in_body: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def rows(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    @classmethod
    def of(
        cls,
        passages: Iterable[tuple[Sequence[str], Sequence[str]]],
        number: Callable[[str], int],
    ) -> "Bag":
        """Of passages given as (words of the body, words found by but not in the body)."""
        indptr = [0]
        flat = array("i")
        counts = array("i")
        in_body = bytearray()
        for body, title in passages:
            counted = Counter(body)
            n_body = len(counted)
            counted.update(title)
            flat.extend(map(number, counted))
            counts.extend(counted.values())
            in_body.extend(b"\x01" * n_body)
            in_body.extend(bytes(len(counted) - n_body))
            indptr.append(len(flat))
        return cls(
            np.array(indptr, dtype=np.int64),
            np.frombuffer(flat, dtype=np.int32),
            np.frombuffer(counts, dtype=np.int32),
            np.frombuffer(in_body, dtype=np.bool_),
        )

    def taken(self, rows: NDArray[np.int64]) -> "Bag":
        """The passages of these rows, in their order."""
        lengths = np.diff(self.indptr)[rows]
        indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        flat = np.arange(int(indptr[-1])) + np.repeat(self.indptr[rows] - indptr[:-1], lengths)
        return Bag(indptr, self.numbers[flat], self.counts[flat], self.in_body[flat])

    @classmethod
    def joined(cls, first: "Bag", second: "Bag") -> "Bag":
        return cls(
            np.concatenate([first.indptr, second.indptr[1:] + first.indptr[-1]]),
            np.concatenate([first.numbers, second.numbers]),
            np.concatenate([first.counts, second.counts]),
            np.concatenate([first.in_body, second.in_body]),
        )


def inverse_document_frequency(
    n_passages: int, frequencies: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Lucene's: ln(1 + (N - df + 0.5) / (df + 0.5)), never negative."""
    return np.log(1.0 + (n_passages - frequencies + 0.5) / (frequencies + 0.5))


class _Growing(dict[str, int]):
    """Numbers a word when it is first asked for."""

    def __missing__(self, word: str) -> int:
        number = self[word] = len(self)
        return number


def first_bag(
    passages: Iterable[tuple[Sequence[str], Sequence[str]]],
) -> tuple[Bag, Vocabulary]:
    numbers = _Growing()
    bag = Bag.of(passages, numbers.__getitem__)
    return bag, weighed(bag, dict(numbers))


def weighed(bag: Bag, numbers: Mapping[str, int]) -> Vocabulary:
    """The words of a first index, weighed by how many of its passages hold each."""
    frequencies = np.bincount(bag.numbers, minlength=len(numbers))
    idf = inverse_document_frequency(len(bag), frequencies)
    rare = math.log(1.0 + (len(bag) + 0.5) / 0.5)
    return Vocabulary(numbers, {}, idf, rare)
