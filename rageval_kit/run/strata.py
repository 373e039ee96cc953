"""How does each stratum of the samples fare, also those that have too few samples, or none?"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rageval_kit.records.decisions import MacroMean, StratumResult
from rageval_kit.records.scores import Ints, ScoreColumn
from rageval_kit.records.streams import stream
from rageval_kit.run.questions import Question
from rageval_kit.schema import SamplesSpec
from rageval_kit.stats import mean_interval

TOO_FEW, NOT_MEASURED = "too_few", "not_measured"


@dataclass(frozen=True, slots=True)
class _Stratum:
    dimension: str
    name: str
    members: Ints
    n_least: int


def strata_results(
    spec: SamplesSpec, questions: Sequence[Question], columns: Sequence[ScoreColumn], seed: int
) -> tuple[tuple[StratumResult, ...], tuple[MacroMean, ...]]:
    """A row for every stratum and metric, in an order that no sample can change; macro means."""
    strata = list(_strata(spec, questions))
    rows = tuple(
        _row(stratum, column, spec.min_per_stratum, seed)
        for stratum in strata
        for column in columns
    )
    dimensions = dict.fromkeys(stratum.dimension for stratum in strata)
    macro = tuple(
        _macro(dimension, column.metric, rows) for dimension in dimensions for column in columns
    )
    return rows, macro


def _strata(spec: SamplesSpec, questions: Sequence[Question]) -> Iterator[_Stratum]:
    """Declared ones first, in the order declared; then those that samples name, by name."""
    met: dict[str, dict[str, list[int]]] = {}
    for i, question in enumerate(questions):
        for dimension, name in question.sample.strata.items():
            met.setdefault(dimension, {}).setdefault(name, []).append(i)
    for dimension in _in_order((spec.strata, spec.required), met):
        found = met.get(dimension, {})
        required = spec.required.get(dimension, ())
        for name in dict.fromkeys((*spec.strata.get(dimension, ()), *required, *sorted(found))):
            members = np.array(found.get(name, []), dtype=np.int64)
            n_least = spec.min_per_stratum if name in required else 0
            yield _Stratum(dimension, name, members, n_least)


def _in_order(declared: Sequence[Mapping[str, object]], met: Mapping[str, object]) -> list[str]:
    return list(dict.fromkeys([*(name for one in declared for name in one), *sorted(met)]))


def _row(stratum: _Stratum, column: ScoreColumn, least: int, seed: int) -> StratumResult:
    usable = (column.measured & np.isfinite(column.values))[stratum.members]
    values = column.values[stratum.members][usable]
    generator = stream(seed, "bootstrap")  # as of all queries: equal values have equal ends
    estimate = mean_interval(values, generator, unit_interval=column.unit_interval)
    few = estimate.n < least
    return StratumResult(
        dimension=stratum.dimension,
        stratum=stratum.name,
        metric=column.metric,
        n_scored=estimate.n,
        n_total=len(stratum.members),
        value=estimate.mean,
        low=None if few else estimate.low,
        high=None if few else estimate.high,
        note=NOT_MEASURED if estimate.n == 0 else TOO_FEW if few else "",
        n_least=stratum.n_least,
    )


def _macro(dimension: str, metric: str, rows: Sequence[StratumResult]) -> MacroMean:
    """A stratum too small to be told for itself does not count as much as the others."""
    entered = {
        row.stratum: row.value
        for row in rows
        if (row.dimension, row.metric) == (dimension, metric)
        and row.value is not None
        and not row.note
    }
    value = sum(entered.values()) / len(entered) if entered else None
    return MacroMean(dimension, metric, value, tuple(entered))
