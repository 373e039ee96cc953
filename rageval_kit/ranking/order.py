"""In which order do the results of each list stand, and at which rank?"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from rageval_kit.records.faults import InputError
from rageval_kit.records.scores import Floats, Ints, places


@dataclass(frozen=True, slots=True)
class Order:
    """`rank[i]` is the 1-based rank of row `i` within its list.

    `tied_pairs` counts pairs of one list that have equal scores; `disordered` counts lists whose
    rows did not stand in the order of their scores.
    """

    rank: Ints
    tied_pairs: int
    disordered: int


def by_score(lists: Ints, score: Floats, documents: pl.Series) -> Order:
    """Score descending in 64-bit, then document id descending by its UTF-8 bytes.

    `lists` ascends: the rows of one list stand together. Most files are in order already, so only
    lists that are not are sorted, and only rows that tie are compared by id.
    """
    same = lists[1:] == lists[:-1]
    up = (score[1:] > score[:-1]) & same
    at: Ints | None = None
    disordered = 0
    if up.any():
        dirty = np.unique(lists[1:][up])
        disordered = len(dirty)
        rows = np.flatnonzero(np.isin(lists, dirty))
        at = np.arange(len(lists))
        at[rows] = rows[_sorted(lists[rows], score[rows])]
        score = score[at]
    ties = (score[1:] == score[:-1]) & same
    pairs = 0
    if ties.any():
        in_tie = np.zeros(len(lists), dtype=bool)
        in_tie[1:] |= ties
        in_tie[:-1] |= ties
        rows = np.flatnonzero(in_tie)
        starts = np.ones(len(rows), dtype=bool)
        starts[1:] = ~ties[rows[1:] - 1]
        group = np.cumsum(starts)
        sizes = np.bincount(group)
        pairs = int((sizes * (sizes - 1) // 2).sum())
        source = rows if at is None else at[rows]
        turned = _sorted_ids(group, documents.gather(source))
        if at is None:
            at = np.arange(len(lists))
        at[rows] = source[turned]
    place = places(lists)
    if at is None:
        return Order(place, pairs, disordered)
    rank = np.empty(len(lists), np.int64)
    rank[at] = place
    return Order(rank, pairs, disordered)


def _sorted(lists: Ints, score: Floats) -> Ints:
    frame = pl.DataFrame({"list": lists, "score": score})
    order = pl.arg_sort_by("list", "score", descending=[False, True], maintain_order=True)
    return frame.select(order).to_series().to_numpy().astype(np.int64)


def _sorted_ids(group: Ints, documents: pl.Series) -> Ints:
    # TREC breaks ties by descending document id; we keep that so that trec_eval agrees.
    frame = pl.DataFrame({"group": group, "document": documents})
    order = pl.arg_sort_by("group", "document", descending=[False, True])
    return frame.select(order).to_series().to_numpy().astype(np.int64)


def by_rank(lists: Ints, stated: Ints, score: Floats) -> Order:
    """The order that the file states; ranks need not be 1, 2, 3 …, but must differ in a list."""
    at = np.lexsort((stated, lists))
    ordered = stated[at]
    same = lists[1:] == lists[:-1]
    twice = np.flatnonzero((ordered[1:] == ordered[:-1]) & same)
    if len(twice):
        problem = f"state the same rank twice in {len(np.unique(lists[twice]))} lists"
        met = f"rank {ordered[twice[0]]}"
        raise InputError.one("keep_rank: rows", problem, met, "leave ties to the scores")
    rank = np.empty(len(lists), np.int64)
    rank[at] = places(lists)
    disordered = np.unique(lists[1:][(at[1:] < at[:-1]) & same])
    return Order(rank, _tied_pairs(lists, score), len(disordered))


def _tied_pairs(lists: Ints, score: Floats) -> int:
    at = np.lexsort((score, lists))
    same = (lists[1:] == lists[:-1]) & (score[at][1:] == score[at][:-1])
    group = np.cumsum(np.concatenate([[True], ~same]))
    sizes = np.bincount(group)
    return int((sizes * (sizes - 1) // 2).sum())
