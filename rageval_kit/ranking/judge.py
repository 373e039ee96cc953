"""What do the lists of a ranking come to when they are held against the judgments?"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from rageval_kit.ranking import order, spill
from rageval_kit.ranking.judgments import Judgments, Keys, Words, keys_of
from rageval_kit.ranking.order import Lists
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Ints, JudgedRankings, Mask

TOP = 10
_MOST_NAMED = 20
_RANK_BITS = 36  # of a sort key; the rest tells 134 million queries apart

Blocks = Callable[[], Iterable[pl.DataFrame]]


@dataclass(frozen=True, slots=True)
class RankingNotes:
    """What a reader of the figures must know about the lists themselves.

    `absent`: judged queries without a list (each scores 0); `unjudged`: queries with a list and no
    judgment (left out). `tied_pairs`: pairs of one list with equal scores; `duplicates`: results
    dropped because their id stood higher in the same list; `disordered`: lists whose lines did not
    stand by score. `top`: query_id, document_id and rank of the first ten of every list.
    """

    results: int
    lists: int
    absent: tuple[str, ...]
    unjudged: tuple[str, ...]
    tied_pairs: int
    duplicates: int
    disordered: int
    interleaved: bool
    spilled: bool
    top: pl.DataFrame


@dataclass(frozen=True, slots=True)
class Judged:
    """Query `i` of `rankings` is `query_ids[i]`: every query that has a judgment."""

    query_ids: tuple[str, ...]
    rankings: JudgedRankings
    notes: RankingNotes


def judge(
    judgments: Judgments,
    blocks: Blocks,
    conventions: Conventions | None = None,
    *,
    where: str = "ranking",
    repeats: bool = False,
    top: int = TOP,
) -> Judged:
    """Order each list once, by the tie rule in force, and keep what has been judged.

    `blocks()` gives frames with query_id, document_id, score (and rank, where that rules) in file
    order, afresh at each call. Where the lists stand one after another, memory is bounded by the
    block and the longest list; where they are interleaved, rows are first gathered by query, on
    disk if they are many. A document repeated in a list is refused, or with `repeats` (live and
    rolled-up lists) counted and dropped. Unjudged ranks are kept only where the conventions ask.
    """
    rules = _Rules(judgments, conventions or Conventions(), where, repeats, top)
    try:
        work = _Work(rules)
        for frame in _whole_lists(_ahead(blocks())):
            work.add(frame)
        return work.done(interleaved=False, spilled=False)
    except _InterleavedError:
        with spill.gathered(blocks()) as (frames, spilled):
            work = _Work(rules)
            for frame in frames:
                work.add(frame)
            return work.done(interleaved=True, spilled=spilled)


class RefusedListsError(InputError):
    """Lists that cannot be scored: `others` is wrong, and `repeated` (query, document) stand twice.

    `where` and `lines` say where each of the pairs stands, if that is known.
    """

    def __init__(
        self,
        where: str,
        others: Sequence[Fault],
        repeated: Sequence[tuple[str, str]],
        lines: Mapping[tuple[str, str], Sequence[int]] | None = None,
    ) -> None:
        self.where, self.others, self.repeated = where, tuple(others), tuple(repeated)
        faults = [*others]
        for pair in repeated:
            at = ", ".join(map(str, (lines or {}).get(pair, ())))
            problem = f"query '{pair[0]}' names document '{pair[1]}' more than once"
            place = f"{where}:{at}" if at else where
            faults.append(Fault(place, problem, "", "keep one line of each, the higher score"))
        shown = faults[:_MOST_NAMED]
        if len(faults) > len(shown):
            shown.append(Fault(where, f"and {len(faults) - len(shown)} more, likewise"))
        super().__init__(shown)


class _InterleavedError(Exception):
    """A query's rows do not stand together."""


def _ahead(blocks: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same blocks; the next is read and parsed while one is being worked on."""
    iterator = iter(blocks)
    with ThreadPoolExecutor(1) as reader:
        coming = reader.submit(next, iterator, None)
        while (block := coming.result()) is not None:
            coming = reader.submit(next, iterator, None)
            yield block


def _whole_lists(blocks: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """The same rows, but no list is cut in two: the last of a block waits for the next."""
    rest: list[pl.DataFrame] = []
    for block in blocks:
        if not len(block):
            continue
        query = block["query_id"]
        last = query[-1]
        start = _last_start(query, last)
        if start == 0 and (not rest or rest[0]["query_id"][0] == last):
            rest.append(block)
            continue
        if rest and start == 0:
            yield pl.concat(rest)
            rest = [block]
            continue
        whole = block.slice(0, start)
        yield pl.concat([*rest, whole]) if rest else whole
        rest = [block.slice(start)]
    if rest:
        yield pl.concat(rest)


def _last_start(query: pl.Series, last: str) -> int:
    size = 1024
    while True:
        start = max(0, len(query) - size)
        other = np.flatnonzero((query.slice(start) != last).to_numpy())
        if len(other):
            return start + int(other[-1]) + 1
        if start == 0:
            return 0
        size *= 8


@dataclass(frozen=True, slots=True)
class _Rules:
    judgments: Judgments
    conventions: Conventions
    where: str
    repeats: bool
    top: int


@dataclass(slots=True)
class _Work:
    """Takes frames of whole lists, one after another, and keeps what is judged."""

    rules: _Rules
    codes: dict[str, int] = field(init=False)
    seen: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    parts: list[tuple[Ints, Ints, Ints]] = field(default_factory=list)
    unjudged: list[tuple[Ints, Ints]] = field(default_factory=list)
    lengths: list[tuple[Ints, Ints]] = field(default_factory=list)
    top: list[pl.DataFrame] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    repeated: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codes = {name: code for code, name in enumerate(self.rules.judgments.query_ids)}

    def add(self, frame: pl.DataFrame) -> None:
        query = frame["query_id"]
        lists = Lists.of(query.rle_id().to_numpy())
        names = query.gather(lists.starts).to_list()
        if not self.seen.isdisjoint(names) or len(set(names)) < len(names):
            raise _InterleavedError
        self.seen.update(names)
        query_of = np.array([self.codes.get(n, -1) for n in names], np.int64)
        known = query_of >= 0
        self.foreign += [name for name, is_known in zip(names, known, strict=True) if not is_known]
        judgments = self.rules.judgments
        of_lists = judgments.rows_of(query_of[known])
        list_of = np.full(len(self.codes), -1)
        list_of[query_of[known]] = np.flatnonzero(known)
        judged = Keys.of(judgments.documents.gather(of_lists), list_of[judgments.query[of_lists]])
        keys = keys_of(frame["document_id"], lists.of_row, judged.seed)
        ordered = self.ordered(frame, lists, names)
        rank = ordered.rank
        kept = self.without_repeats(frame, lists, names, keys, rank)
        if kept is not None:
            frame, keys = frame.filter(kept), keys[kept]
            lists = Lists.of(lists.of_row[kept], len(names))
            rank = _ranked_again(lists, rank[kept])
        self.counts["results"] += len(frame)
        self.counts["tied"] += ordered.tied_pairs
        self.counts["disordered"] += ordered.disordered
        self.lengths.append((query_of[known], lists.sizes[known]))
        documents = frame["document_id"]
        rows, at = judged.matches(keys)
        at = of_lists[at]
        same = judgments.query[at] == query_of[lists.of_row[rows]]
        same &= (documents.gather(rows) == judgments.documents.gather(at)).to_numpy()
        rows, at = rows[same], at[same]
        self.parts.append((judgments.query[at], rank[rows], judgments.grade[at]))
        if self.rules.conventions.unjudged in ("lowest", "highest"):
            self.keep_unjudged(query_of[lists.of_row], rank, rows[judgments.grade[at] >= 0])
        first = np.flatnonzero(rank <= self.rules.top)
        self.top.append(frame[first].select("query_id", "document_id", rank=pl.Series(rank[first])))

    def ordered(self, frame: pl.DataFrame, lists: Lists, names: list[str]) -> order.Order:
        score = frame["score"].to_numpy()
        if self.rules.conventions.ties != "keep_rank":
            return order.by_score(lists, score, frame["document_id"])
        ordered, twice = order.by_rank(lists, frame["rank"].to_numpy(), score)
        for number in twice.tolist():
            problem, way_out = "states one rank twice", "mend the ranks, or let the scores rule"
            where = f"{self.rules.where}: query '{names[number]}'"
            self.faults.append(Fault(where, problem, "", way_out))
        return ordered

    def without_repeats(
        self, frame: pl.DataFrame, lists: Lists, names: list[str], keys: Words, rank: Ints
    ) -> Mask | None:
        """None if no list repeats a document; else which rows stand first, or a fault each."""
        again = np.sort(keys)
        twice = np.unique(again[1:][again[1:] == again[:-1]])
        if not len(twice):
            return None
        rows = np.flatnonzero(np.isin(keys, twice))
        pairs = frame.select("document_id")[rows].with_columns(
            list=pl.Series(lists.of_row[rows]), rank=pl.Series(rank[rows]), row=pl.Series(rows)
        )
        first = pl.col("rank").rank("ordinal").over("list", "document_id")
        repeated = pairs.filter(first > 1)
        if not len(repeated):
            return None  # equal by chance
        if self.rules.repeats:
            self.counts["duplicates"] += len(repeated)
            kept = np.ones(len(frame), dtype=bool)
            kept[repeated["row"].to_numpy()] = False
            return kept
        told = repeated.select("list", "document_id").unique(maintain_order=True)
        for number, document in told.iter_rows():
            self.repeated.append((names[number], document))
        return None

    def keep_unjudged(self, query: Ints, rank: Ints, judged_rows: Ints) -> None:
        outside = query >= 0
        outside[judged_rows] = False
        self.unjudged.append((query[outside], rank[outside]))

    def done(self, *, interleaved: bool, spilled: bool) -> Judged:
        if self.faults or self.repeated:
            raise RefusedListsError(self.rules.where, self.faults, self.repeated)
        query, rank, grade = _in_order(self.parts, 3)
        n = len(self.rules.judgments.query_ids)
        returned = np.zeros(n, np.int64)
        for at, size in self.lengths:
            returned[at] = size
        unjudged = _in_order(self.unjudged, 2) if self.unjudged else (None, None)
        rankings = JudgedRankings(
            n_queries=n,
            query=query,
            rank=rank,
            grade=grade,
            judged_query=self.rules.judgments.query,
            judged_grade=self.rules.judgments.grade,
            returned=returned,
            unjudged_query=unjudged[0],
            unjudged_rank=unjudged[1],
            conventions=self.rules.conventions,
        )
        absent = tuple(name for name in self.rules.judgments.query_ids if name not in self.seen)
        notes = RankingNotes(
            results=self.counts["results"],
            lists=len(self.seen),
            absent=absent,
            unjudged=tuple(self.foreign),
            tied_pairs=self.counts["tied"],
            duplicates=self.counts["duplicates"],
            disordered=self.counts["disordered"],
            interleaved=interleaved,
            spilled=spilled,
            top=pl.concat(self.top) if self.top else _no_top(),
        )
        return Judged(self.rules.judgments.query_ids, rankings, notes)


def _ranked_again(lists: Lists, rank: Ints) -> Ints:
    """Ranks 1, 2, 3 … in the same order, after rows have left."""
    again = np.empty(len(rank), np.int64)
    again[np.lexsort((rank, lists.of_row))] = lists.places()
    return again


def _in_order(parts: Sequence[tuple[Ints, ...]], n: int) -> tuple[Ints, ...]:
    """Columns query, rank, … by query, then rank."""
    if not parts:
        return tuple(np.empty(0, np.int64) for _ in range(n))
    columns = tuple(np.concatenate(column) for column in zip(*parts, strict=True))
    at = np.argsort((columns[0] << _RANK_BITS) | columns[1])
    return tuple(column[at] for column in columns)


def _no_top() -> pl.DataFrame:
    schema = {"query_id": pl.String, "document_id": pl.String, "rank": pl.Int64}
    return pl.DataFrame(schema=schema)
