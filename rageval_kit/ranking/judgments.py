"""What has been judged, in the form in which lists are held against it?"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rageval_kit.records.faults import Fault, InputError, KitError
from rageval_kit.records.scores import Ints

Words = NDArray[np.uint64]

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FEWEST_BITS, _SPARE_BITS = 10, 4
_MOST_NAMED = 20
_MOST_SEEDS = 16


@dataclass(frozen=True, slots=True)
class Judgments:
    """Every judgment; query `i` is `query_ids[i]`, in the order in which they first stand.

    `documents`, `query` and `grade` are parallel, by query, then grade descending; those of query
    `i` are the rows from `starts[i]` to `starts[i + 1]`.
    """

    query_ids: tuple[str, ...]
    documents: pl.Series
    query: Ints
    grade: Ints
    starts: Ints

    @classmethod
    def of(cls, frame: pl.DataFrame) -> "Judgments":
        """From a frame with query_id, document_id (text) and grade (whole numbers)."""
        _once_each(frame)
        query_ids = frame["query_id"].unique(maintain_order=True)
        codes = pl.DataFrame({"query_id": query_ids}).with_row_index("query")
        rows = (
            frame.select("query_id", "document_id", pl.col("grade").cast(pl.Int64))
            .join(codes, on="query_id", how="left", maintain_order="left")
            .sort(["query", "grade"], descending=[False, True], maintain_order=True)
        )
        query = rows["query"].to_numpy().astype(np.int64)
        starts = np.searchsorted(query, np.arange(len(query_ids) + 1))
        documents, grade = rows["document_id"].rechunk(), rows["grade"].to_numpy()
        return cls(tuple(query_ids.to_list()), documents, query, grade, starts)

    @property
    def frame(self) -> pl.DataFrame:
        """query_id, document_id, grade: one row per judgment."""
        names = pl.Series("query_id", self.query_ids, dtype=pl.String)
        return pl.DataFrame(
            {
                "query_id": names.gather(self.query),
                "document_id": self.documents,
                "grade": self.grade,
            }
        )

    def rows_of(self, queries: Ints) -> Ints:
        """The rows of these queries, one query after the other."""
        size = self.starts[queries + 1] - self.starts[queries]
        first = np.repeat(self.starts[queries] - np.cumsum(size) + size, size)
        return first + np.arange(len(first))


@dataclass(frozen=True, slots=True)
class Keys:
    """64-bit keys of (list, document): equal for equal pairs, else equal by chance only.

    Whoever finds two equal compares the documents themselves, so that chance costs time, never a
    wrong grade; `sieve` tells most foreign keys apart by their lowest bits alone.
    """

    keys: Words
    at: Ints
    sieve: NDArray[np.bool_]
    seed: int

    @classmethod
    def of(cls, documents: pl.Series, lists: Ints) -> "Keys":
        """Of pairs that are all different; `at[j]` is the row of key `j`, keys ascend."""
        for seed in range(_MOST_SEEDS):
            keys = keys_of(documents, lists, seed)
            at = np.argsort(keys)
            keys = keys[at]
            if not (keys[1:] == keys[:-1]).any():
                break  # else two pairs share a key by chance: other keys
        else:
            raise KitError("judgments: a pair stands twice where each must stand once")
        bits = max(_FEWEST_BITS, len(keys).bit_length() + _SPARE_BITS)
        sieve = np.zeros(1 << bits, dtype=bool)
        sieve[keys & np.uint64(len(sieve) - 1)] = True
        return cls(keys, at, sieve, seed)

    def matches(self, keys: Words) -> tuple[Ints, Ints]:
        """(row of `keys`, row of these pairs) wherever the keys are equal."""
        if not len(self.keys):
            return np.empty(0, np.int64), np.empty(0, np.int64)
        rows = np.flatnonzero(self.sieve[keys & np.uint64(len(self.sieve) - 1)])
        wanted = keys[rows]
        place = np.searchsorted(self.keys, wanted)
        place[place == len(self.keys)] = 0
        hit = self.keys[place] == wanted
        return rows[hit], self.at[place[hit]]


def keys_of(documents: pl.Series, lists: NDArray[np.integer], seed: int) -> Words:
    """One key for each (list, document), of the same numbers of lists and the same seed."""
    keys: Words = documents.hash(seed=seed).to_numpy() ^ (lists.astype(np.uint64) * _ODD)
    return keys


def repeated_pairs(frame: pl.DataFrame) -> pl.DataFrame:
    """The rows whose (query_id, document_id) stands more than once; mostly there are none."""
    keys = frame["query_id"].hash().to_numpy() * _ODD ^ frame["document_id"].hash().to_numpy()
    keys.sort()
    if not (keys[1:] == keys[:-1]).any():
        return frame.clear()
    return frame.filter(frame.select("query_id", "document_id").is_duplicated())


def _once_each(frame: pl.DataFrame) -> None:
    repeated = repeated_pairs(frame)
    if not len(repeated):
        return
    twice = (
        repeated.group_by("query_id", "document_id", maintain_order=True)
        .agg(pl.col("grade"))
        .head(_MOST_NAMED)
    )
    raise InputError(
        Fault(
            f"judgments of query '{query}', document '{document}'",
            "are repeated",
            "grades " + ", ".join(map(str, grades)),
            "keep one of them",
        )
        for query, document, grades in twice.iter_rows()
    )
