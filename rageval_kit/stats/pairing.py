"""Which queries did both systems answer, and why are the others left out?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import Mask, ScoreColumn

_NO_REASON = "unmeasured"
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A query that one system or both have no score for; `place` is its place in the list."""

    place: int
    query: str
    reason: str


def align(
    baseline: ScoreColumn,
    baseline_ids: Sequence[str],
    candidate: ScoreColumn,
    candidate_ids: Sequence[str],
) -> tuple[tuple[str, ...], ScoreColumn, ScoreColumn]:
    """Both columns over one list: every id of either, in order of ids, whatever order they came in.

    A query that one of them never had is unmeasured there, and says so.
    """
    faults = [
        *_id_faults("baseline", baseline, baseline_ids),
        *_id_faults("candidate", candidate, candidate_ids),
    ]
    if faults:
        raise InputError(faults)
    ids = tuple(sorted({*baseline_ids, *candidate_ids}))
    return ids, _placed(baseline, baseline_ids, ids), _placed(candidate, candidate_ids, ids)


def in_both(baseline: ScoreColumn, candidate: ScoreColumn) -> Mask:
    """Which queries have a finite score in both."""
    return _usable(baseline) & _usable(candidate)


def left_out(
    baseline: ScoreColumn, candidate: ScoreColumn, ids: Sequence[str] | None = None
) -> tuple[LeftOut, ...]:
    """Every query that is not compared, with the reasons of either side."""
    sides = (("baseline", baseline), ("candidate", candidate))
    found = []
    for place in np.flatnonzero(~in_both(baseline, candidate)).tolist():
        why = [
            f"no score in {name}: {_reason(column, place)}"
            for name, column in sides
            if not _usable(column)[place]
        ]
        found.append(LeftOut(place, ids[place] if ids else str(place), "; ".join(why)))
    return tuple(found)


def _usable(column: ScoreColumn) -> Mask:
    usable: Mask = column.measured & np.isfinite(column.values)
    return usable


def _reason(column: ScoreColumn, place: int) -> str:
    if column.measured[place]:
        return "failed: not a finite number"
    return column.reasons.get(place, _NO_REASON)


def _id_faults(name: str, column: ScoreColumn, ids: Sequence[str]) -> list[Fault]:
    faults = []
    if len(ids) != len(column.values):
        met = f"{len(ids)} ids, {len(column.values)} values"
        faults.append(Fault(name, "needs one query id for every value", met))
    repeated = [one for one, times in Counter(ids).items() if times > 1]
    if repeated:
        met = ", ".join(map(repr, repeated[:_SHOWN]))
        faults.append(Fault(name, "names a query more than once", met, "keep one value of each"))
    return faults


def _placed(column: ScoreColumn, ids: Sequence[str], onto: Sequence[str]) -> ScoreColumn:
    at = {one: place for place, one in enumerate(onto)}
    places = np.array([at[one] for one in ids], dtype=np.int64)
    values, measured = np.zeros(len(onto)), np.zeros(len(onto), dtype=bool)
    values[places], measured[places] = column.values, column.measured
    reasons = dict.fromkeys(range(len(onto)), "unmeasured: the query is not among its queries")
    for i, place in enumerate(places.tolist()):
        del reasons[place]
        if not column.measured[i]:
            reasons[place] = column.reasons.get(i, _NO_REASON)
    return replace(column, values=values, measured=measured, reasons=reasons)
