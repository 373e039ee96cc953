"""Do the lists of a run answer other queries than those whose ids they carry?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rageval_kit.ranking.natural import in_natural_order
from rageval_kit.records.scores import Floats, Ints, Mask

if TYPE_CHECKING:
    import polars as pl

# A document relevant to more queries than this tells them apart badly; without it the number of
# pairs is at most this often the number of results.
MOST_QUERIES = 20
MOST_LISTS = 3_000  # of more lists every second, third … is looked at: a pattern shows in those
FEWEST = 5  # fewer lists that fit another query are an accident, not a pattern
SMALLEST_SHARE = 0.1  # of the lists that could fit
CLEAR = 0.9  # of the lists that fit a query: so many fit another
CHANCE = 1e-4  # how probable an accident may be at most
ACCIDENTS = 0.01  # partners that one list may have by chance
EXAMPLES = 3
MOST_DIGITS = 17  # of a whole number in 64 bits
NEGLIGIBLE = 1e-18


@dataclass(frozen=True, slots=True)
class MixUp:
    """`fits_other` lists clearly answer another query than their own, `fits_own` their own.

    `rule`: what explains the partners, or empty. `examples`: (query of the run, judged query).
    `is_certain` False: near neighbours among the queries could also make it look so.
    """

    fits_other: int
    fits_own: int
    lists: int
    rule: str
    examples: tuple[tuple[str, str], ...]
    is_certain: bool = True

    @property
    def share(self) -> float:
        return self.fits_other / (self.fits_other + self.fits_own)


@dataclass(frozen=True, slots=True)
class Fit:
    """`own_hits` results of `lists` are relevant to their query; to another, `chance_hits` are."""

    lists: int = 0
    own_hits: int = 0
    chance_hits: float = 0.0
    mix_up: MixUp | None = None

    @property
    def is_at_chance(self) -> bool:
        return self.own_hits <= self.chance_hits + 2 * math.sqrt(self.chance_hits)


@dataclass(frozen=True, slots=True)
class _Pairs:
    """List `a` holds `hits` documents relevant to judged query `b`; `own[a]` is its own b or -1.

    `taken` lists were looked at.
    """

    run_ids: Sequence[str]
    judged_ids: Sequence[str]
    taken: int
    own: Ints
    a: Ints
    b: Ints
    hits: Ints

    @property
    def lists(self) -> int:
        return min(self.taken, len(self.judged_ids))

    def is_own(self) -> Mask:
        own: Mask = self.own[self.a] == self.b
        return own

    def hit_own(self) -> Mask:
        """Which lists hold anything relevant to their own query: a mask over `run_ids`."""
        hit = np.zeros(len(self.run_ids), dtype=bool)
        hit[self.a[self.is_own()]] = True
        return hit

    def mix_up(self, others: Mask, fits_own: int, rule: str) -> MixUp:
        named = sorted(zip(self.a[others].tolist(), self.b[others].tolist(), strict=True))
        examples = tuple((self.run_ids[a], self.judged_ids[b]) for a, b in named[:EXAMPLES])
        return MixUp(int(others.sum()), fits_own, self.lists, rule, examples)


def fit(top: "pl.DataFrame", relevant: "pl.DataFrame") -> Fit:
    """Judge lists (query_id, document_id) by relevant documents (the same columns), on both ids."""
    pairs = _pairs(top, relevant)
    if not len(pairs.a):
        return Fit()
    own = pairs.is_own()
    has_own = (pairs.own >= 0)[pairs.a]
    foreign = int(pairs.hits[has_own & ~own].sum())
    chance = foreign / max(len(pairs.judged_ids) - 1, 1)
    found = Fit(pairs.taken, int(pairs.hits[own].sum()), chance)
    mixed = _by_rule(pairs) or _by_partners(pairs)
    # Who finds the topic, but not the document, fits neighbours as well: a suspicion wants more.
    if mixed is None or not (mixed.is_certain or found.is_at_chance):
        return found
    return replace(found, mix_up=mixed)


def _pairs(top: "pl.DataFrame", relevant: "pl.DataFrame") -> _Pairs:
    import polars as pl

    run_ids = in_natural_order(top["query_id"])
    judged_ids = in_natural_order(relevant["query_id"])
    a = pl.Series("query_id", run_ids, pl.String).to_frame().with_row_index("a")
    b = pl.Series("query_id", judged_ids, pl.String).to_frame().with_row_index("b")
    own = (
        a.join(b, on="query_id", how="left", maintain_order="left")["b"]
        .cast(pl.Int64)
        .fill_null(-1)
    )
    taken = a.gather_every(-(-len(run_ids) // MOST_LISTS) or 1)
    listed = top.join(taken, on="query_id").select("a", "document_id")
    near = relevant.join(listed.select("document_id").unique(), on="document_id", how="semi")
    telling = near.filter(pl.len().over("document_id") <= MOST_QUERIES)
    counted = (
        listed.join(telling.join(b, on="query_id").select("b", "document_id"), on="document_id")
        .group_by("a", "b")
        .agg(pl.len().alias("hits"))
        .sort("a", "b")
        .cast(pl.Int64)
    )
    columns = (counted[name].to_numpy() for name in ("a", "b", "hits"))
    return _Pairs(run_ids, judged_ids, taken.height, own.to_numpy(), *columns)


def _by_rule(pairs: _Pairs) -> MixUp | None:
    """The shift between ids (or their places) under which most lists without an own hit fit."""
    hit_own = pairs.hit_own()
    lost = ~hit_own[pairs.a]
    if lost.sum() < FEWEST:
        return None
    # Of rules that explain as much the first is said.
    best, tried = _Shift(0, 0, 0, "", pairs.b), 0
    for rule, (run_key, judged_key) in _keys(pairs).items():
        shift = judged_key[pairs.b] - run_key[pairs.a]
        values, counts = _counted(shift[lost])
        tried += len(values)
        order = np.lexsort((np.abs(values), -counts))
        second = int(counts[order[1]]) if len(order) > 1 else 0
        if counts[order[0]] > best.count:
            best = _Shift(int(counts[order[0]]), second, int(values[order[0]]), rule, shift)
    expected = len(pairs.a) / len(pairs.judged_ids)
    by_chance = tried * poisson_tail(expected, best.count)
    if not _is_pattern(best.count, SMALLEST_SHARE * pairs.lists, by_chance):
        return None
    # A list that the rule leaves where it is speaks for the rule as little as against it.
    also = np.zeros(len(pairs.run_ids), dtype=bool)
    also[pairs.a[best.shift == best.by]] = True
    fits_own = int((hit_own & ~also).sum())
    found = pairs.mix_up(lost & (best.shift == best.by), fits_own, _said(best.rule, best.by))
    # Neighbours on one topic fit each other under many shifts; those who changed places, under one.
    return found if found.share >= CLEAR or best.count >= 2 * best.second else None


@dataclass(frozen=True, slots=True)
class _Shift:
    """`count` lists fit under the rule shifted `by`, and `second` under the next best shift."""

    count: int
    second: int
    by: int
    rule: str
    shift: Ints


def _counted(shift: Ints) -> tuple[Ints, Ints]:
    """Each value and how often it occurs; counted in place where the values lie close together."""
    low = shift.min()
    if shift.max() - low > 8 * len(shift) + 1000:
        values, counts = np.unique(shift, return_counts=True)
        return values, counts
    counts = np.bincount(shift - low)
    met = np.flatnonzero(counts)
    return met + low, counts[met]


def _keys(pairs: _Pairs) -> Mapping[str, tuple[Ints, Ints]]:
    """What a slip may have paired: the numbers, or the places in either usual order."""
    run, judged = pairs.run_ids, pairs.judged_ids
    run_place, judged_place = np.arange(len(run)), np.arange(len(judged))
    keys = {"place": (run_place, judged_place)}
    run_number, judged_number = _numbers(run), _numbers(judged)
    if run_number is not None and judged_number is not None:
        # A number first: of two rules that explain as much the simpler is said.
        keys = {"number": (run_number, judged_number), **keys}
    keys["text, number"] = (_text_places(run), judged_place)
    keys["number, text"] = (run_place, _text_places(judged))
    return keys


def _numbers(ids: Sequence[str]) -> Ints | None:
    """The ids as whole numbers, if all of them are."""
    import polars as pl

    texts = pl.Series(ids, dtype=pl.String)
    if not texts.str.contains(f"^[0-9]{{1,{MOST_DIGITS}}}$").all():
        return None
    return texts.cast(pl.Int64).to_numpy()


def _text_places(ids: Sequence[str]) -> Ints:
    places: Ints = np.argsort(sorted(range(len(ids)), key=ids.__getitem__))
    return places


def _said(rule: str, by: int) -> str:
    if rule == "number":
        return f"the judged query's id is the run's {'plus' if by > 0 else 'minus'} {abs(by):,}"
    to = f"place i{by:+d}" if by else "place i"
    orders = {
        "place": "both sides sorted",
        "text, number": "the run's ids sorted as text, the judged ids as numbers",
        "number, text": "the run's ids sorted as numbers, the judged ids as text",
    }
    return f"place i of the run's query ids fits {to} of the judged ones, {orders[rule]}"


def _by_partners(pairs: _Pairs) -> MixUp | None:
    """Lists and judged queries that fit each other best, and better than chance explains."""
    n = pairs.taken
    total = np.bincount(pairs.b, pairs.hits)
    most = np.zeros(len(total))
    np.maximum.at(most, pairs.b, pairs.hits)
    # Relevant results of query b in a list taken at random: its best list is left out, because it
    # may be b's own under a wrong name, and one hit is added, because it may not.
    rate = ((total - most + 1) / n)[total > 0]
    least, partners = 1, math.inf
    while partners > ACCIDENTS:
        least += 1
        partners = float(poisson_tails(rate, least).sum())
        if least > pairs.hits.max():
            return None
    rivals = pairs.hits > least / 2  # what hits less cannot rival a strong partner
    own = pairs.is_own()
    # Neighbours on one topic fit a list nearly as well; only one query fits one under a wrong name.
    # Where neighbours are near, few pairs stand out on both sides: then it is a suspicion.
    for times, share in ((2.0, SMALLEST_SHARE), (1.0, SMALLEST_SHARE / 2)):
        fits = pairs.hits >= least
        fits[rivals] &= _stands_out(pairs.a[rivals], pairs.hits[rivals], times=2.0)
        fits[rivals] &= _stands_out(pairs.b[rivals], pairs.hits[rivals], times=times)
        others = fits & ~own
        count = int(others.sum())
        if _is_pattern(count, share * pairs.lists, poisson_tail(n * partners, count)):
            found = pairs.mix_up(others, int((fits & own).sum()), "")
            return found if times > 1 else replace(found, is_certain=False)
    return None


def _stands_out(group: Ints, hits: Ints, *, times: float) -> Mask:
    """Which rows have the most hits in their group, and `times` those of every other or more."""
    order = np.lexsort((-hits, group))
    sorted_group, sorted_hits = group[order], hits[order]
    starts = np.ones(len(group), dtype=bool)
    starts[1:] = sorted_group[1:] != sorted_group[:-1]
    rivalled = np.zeros(len(group), dtype=bool)
    rivalled[:-1] = ~starts[1:] & (
        (times * sorted_hits[1:] > sorted_hits[:-1]) | (sorted_hits[1:] == sorted_hits[:-1])
    )
    out = np.zeros(len(group), dtype=bool)
    out[order] = starts & ~rivalled
    return out


def _is_pattern(count: int, least: float, probability: float) -> bool:
    return count >= max(FEWEST, least) and probability <= CHANCE


def poisson_tail(mean: float, least: int) -> float:
    """The probability of `least` or more events where `mean` are expected."""
    return float(poisson_tails(np.array([mean]), least)[0])


def poisson_tails(means: Floats, least: int) -> Floats:
    """As `poisson_tail` for many means; from the first term up, so that small ones stay exact."""
    if least <= 0:
        return np.ones(len(means))
    with np.errstate(divide="ignore"):
        term = np.exp(least * np.log(means) - means - math.lgamma(least + 1))
    tail = term.copy()
    for k in range(least + 1, least + 200 + int(means.max(initial=0.0) * 2)):
        term = term * means / k
        tail += term
        if term.max(initial=0.0) < NEGLIGIBLE:
            break
    return np.minimum(tail, 1.0)
