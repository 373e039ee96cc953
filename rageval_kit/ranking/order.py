"""In which order do the results of each list stand, and at which rank?"""

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rageval_kit.records.scores import Floats, Ints, Mask


@dataclass(frozen=True, slots=True)
class Lists:
    """Rows that stand list by list: list `i` has `sizes[i]` rows, the first of them `starts[i]`.

    `of_row` is the list of each row, `same[r]` whether rows r and r + 1 are of one list.
    """

    of_row: NDArray[np.uint32]
    starts: Ints
    sizes: Ints
    same: Mask

    @classmethod
    def of(cls, of_row: NDArray[np.uint32], n: int | None = None) -> "Lists":
        """From ascending numbers; `n` lists (None: as many as there are), some perhaps empty."""
        same = of_row[1:] == of_row[:-1]
        if n is None:
            starts = np.flatnonzero(~same) + 1
            starts = np.concatenate([[0], starts]) if len(of_row) else starts
            return cls(of_row, starts, np.diff(starts, append=len(of_row)), same)
        starts = np.searchsorted(of_row, np.arange(n))
        return cls(of_row, starts, np.diff(starts, append=len(of_row)), same)

    def places(self) -> Ints:
        """1, 2, 3 … within each list."""
        places: Ints = np.arange(1, len(self.of_row) + 1) - np.repeat(self.starts, self.sizes)
        return places


@dataclass(frozen=True, slots=True)
class Order:
    """`rank[i]` is the 1-based rank of row `i` within its list.

    `tied_pairs` counts pairs of one list that have equal scores; `disordered` counts lists whose
    rows stand in another order than their ranks.
    """

    rank: Ints
    tied_pairs: int
    disordered: int


def by_score(lists: Lists, score: Floats, documents: pl.Series) -> Order:
    """Score descending in 64-bit, then document id descending by its UTF-8 bytes.

    Most files are in order already: only lists that are not are sorted, and only rows that tie are
    compared by id.
    """
    rank = lists.places()
    at: Ints | None = None
    disordered = 0
    up = (score[1:] > score[:-1]) & lists.same
    if up.any():
        dirty = np.unique(lists.of_row[1:][up])
        disordered = len(dirty)
        rows = np.flatnonzero(np.isin(lists.of_row, dirty))
        at = np.arange(len(rank))
        at[rows] = rows[_by_score(lists.of_row[rows], score[rows])]
        score = score[at]
    tie = np.flatnonzero((score[1:] == score[:-1]) & lists.same)
    pairs = 0
    if len(tie):
        rows = np.union1d(tie, tie + 1)
        group = np.cumsum(~np.isin(rows - 1, tie), dtype=np.int64)
        sizes = np.bincount(group)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        source = rows if at is None else at[rows]
        source = source[_by_id(group, documents.gather(source))]
        if at is None:
            rank[source] = rank[rows]
        else:
            at[rows] = source
    if at is not None:
        place, rank = rank, np.empty_like(rank)
        rank[at] = place
    return Order(rank, pairs, disordered)


def by_rank(lists: Lists, stated: Ints, score: Floats) -> tuple[Order, Ints]:
    """The order that the ranks state, and the lists that state one of them twice.

    Ranks need not be 1, 2, 3 …
    """
    at = np.lexsort((stated, lists.of_row))
    ordered = stated[at]
    twice = np.unique(lists.of_row[1:][(ordered[1:] == ordered[:-1]) & lists.same])
    rank = np.empty(len(at), np.int64)
    rank[at] = lists.places()
    disordered = np.unique(lists.of_row[1:][(at[1:] < at[:-1]) & lists.same])
    return Order(rank, _tied_pairs(lists, score), len(disordered)), twice.astype(np.int64)


def _tied_pairs(lists: Lists, score: Floats) -> int:
    ordered = score[np.lexsort((score, lists.of_row))]
    tie = (ordered[1:] == ordered[:-1]) & lists.same
    sizes = np.bincount(np.cumsum(np.concatenate([[True], ~tie])))
    return int((sizes * (sizes - 1) // 2).sum())


def _by_score(of_row: NDArray[np.uint32], score: Floats) -> Ints:
    frame = pl.DataFrame({"list": of_row, "score": score})
    order = pl.arg_sort_by("list", "score", descending=[False, True], maintain_order=True)
    return frame.select(order).to_series().to_numpy().astype(np.int64)


def _by_id(group: Ints, documents: pl.Series) -> Ints:
    # TREC breaks ties by descending document id; we keep that so that trec_eval agrees.
    frame = pl.DataFrame({"group": group, "document": documents})
    order = pl.arg_sort_by("group", "document", descending=[False, True])
    return frame.select(order).to_series().to_numpy().astype(np.int64)
