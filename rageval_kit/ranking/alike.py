"""Which difference of spelling keeps two sets of ids from meeting?"""

import itertools
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# Fewer ids than one in twenty meeting under a spelling is an accident.
_SMALLEST_SHARE = 0.05
_Spelling = Callable[["pl.Series"], "pl.Series"]


def spelling_hint(ids: "pl.Series", known: "pl.Series") -> str:
    """How `ids` would meet `known`, in words with figures; empty where no spelling is known to.

    One difference alone is tried first, then all of them together.
    """
    ids, known = ids.unique(), known.unique()
    best, name = 0, ""
    together: list[str] = []
    left, right = ids, known
    for way, reduced in _spellings(ids, known):
        met = _met(reduced(ids), reduced(known))
        if met > best:
            best, name = met, way
        changed = reduced(left), reduced(right)
        if not (changed[0].equals(left) and changed[1].equals(right)):
            together.append(way)
            left, right = changed
    met = _met(left, right)
    if met > best and len(together) > 1:
        best, name = met, " and ".join((", ".join(together[:-1]), together[-1]))
    if best < max(1, _SMALLEST_SHARE * min(len(ids), len(known))):
        return ""
    examples = f"{ids.min()!r} here, {known.min()!r} there"
    return f"{best:,} of {len(ids):,} would meet but for {name}; such as {examples}"


def _met(ids: "pl.Series", known: "pl.Series") -> int:
    return int(ids.is_in(known.unique().implode()).sum())


def _spellings(ids: "pl.Series", known: "pl.Series") -> Iterator[tuple[str, _Spelling]]:
    """What both sides may be reduced to: cheap and harmless ways first."""
    yield "white space around them", lambda s: s.str.strip_chars()
    yield "composed or full-width characters", lambda s: s.str.normalize("NFKC")
    yield "upper and lower case", lambda s: s.str.to_lowercase()
    yield "a '.0' at the end, left by a table of floats", lambda s: s.str.replace(r"\.0+$", "")
    yield "leading zeros", lambda s: s.str.replace(r"^0+([0-9])", "$1")
    for side, at_end in (("begin", False), ("end", True)):
        for cut in (False, True):
            here, there = (_affix(one, at_end=at_end, cut=cut) for one in (ids, known))
            if here != there:
                name = f"what they {side} with ({here!r} here, {there!r} there)"
                yield name, partial(_bare, at_end=at_end, cut=cut)


def _bare(ids: "pl.Series", *, at_end: bool, cut: bool) -> "pl.Series":
    affix = _affix(ids, at_end=at_end, cut=cut)
    return ids.str.strip_suffix(affix) if at_end else ids.str.strip_prefix(affix)


def _affix(ids: "pl.Series", *, at_end: bool, cut: bool) -> str:
    """What all ids begin (or end) with, as far as it is no part of a number.

    `cut`: and ends with a mark, as `doc_` does: words may begin alike by chance.
    """
    if len(ids) < 2:  # noqa: PLR2004 - one id is not alike anything
        return ""
    # What a whole set begins with, its first and last member in order begin with.
    ends = (ids.str.reverse() if at_end else ids).sort()
    common = _common(ends[0], ends[-1]).rstrip("0123456789")
    if cut:
        common = re.sub(r"[^\W_]+$", "", common)
    return common[::-1] if at_end else common


def _common(one: str, other: str) -> str:
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(char for char, _ in same)
