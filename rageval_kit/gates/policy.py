"""What must a run reach? The gates as a person chose them, read from plain data and checked."""

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any

from rageval_kit.records.conventions import Conventions, read_name
from rageval_kit.records.decisions import GateKind
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.verdicts import Severity


class Estimate(StrEnum):
    """What of a metric a threshold is held against: its mean, or an end of the interval.

    `share_above`: the share of scored queries whose own value lies above `above`.
    """

    VALUE = "value"
    LOW = "low"
    HIGH = "high"
    SHARE_ABOVE = "share_above"


class Level(StrEnum):
    """A gate decides; advice is told where it is not met, and decides nothing."""

    GATE = "gate"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class SecurityGate:
    """A violation in a family of one of these severities fails the run."""

    severities: tuple[Severity, ...] = (Severity.CRITICAL, Severity.HIGH)


@dataclass(frozen=True, slots=True)
class CompletenessGate:
    """`allowance`: the share of a required family's cases that may stay undecided.

    `allowances` sets it for a family by id; `coverage` is the least share of scores measured.
    `stale_judgments`: the share of relevant judgments that may be older than their document.
    """

    allowance: float = 0.0
    allowances: Mapping[str, float] = field(default_factory=dict)
    coverage: float = 0.9
    stale_judgments: float = 0.1


@dataclass(frozen=True, slots=True)
class AvailabilityGate:
    """`starvation`: the share of violated cases allowed in families that count as availability.

    `over_denial`: the share of all cases whose permitted reader may be left without the document.
    """

    starvation: float = 0.0
    over_denial: float = 0.0


@dataclass(frozen=True, slots=True)
class ThresholdGate:
    """`estimate` of `metric` must be at least, or at most, a finite number.

    `metric` is a measure's name, with the conventions it is meant under where these are not the
    usual ones of a run: `recall@10|unjudged=condensed`.
    `ratio` says that the metric lies in [0, 1], and so must the threshold. `required` False: a run
    that did not ask for the metric is not held to it (and says so); one that asked always is.
    `stratum`, as in `department=finance`: the metric over these samples alone.
    """

    metric: str
    at_least: float | None = None
    at_most: float | None = None
    estimate: Estimate = Estimate.VALUE
    ratio: bool = True
    required: bool = True
    kind: GateKind = GateKind.QUALITY
    above: float | None = None
    stratum: str = ""
    level: Level = Level.GATE

    @property
    def threshold(self) -> float:
        at_most = 0.0 if self.at_most is None else self.at_most
        return at_most if self.at_least is None else self.at_least

    def accepts(self, value: float) -> bool:
        return value >= self.threshold if self.at_least is not None else value <= self.threshold


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """The gates of a run. Infrastructure has no setting: a target that never answered fails."""

    security: SecurityGate = field(default_factory=SecurityGate)
    completeness: CompletenessGate = field(default_factory=CompletenessGate)
    availability: AvailabilityGate = field(default_factory=AvailabilityGate)
    thresholds: Mapping[str, ThresholdGate] = field(default_factory=dict)


def load_policy(node: Mapping[str, Any], where: str = "gate") -> GatePolicy:
    """Read a policy from plain data; every fault is reported at once."""
    reader = _Reader()
    reader.known(node, where, ("security", "completeness", "availability", "thresholds"))
    policy = GatePolicy(
        _security(reader, reader.below(node, where, "security"), f"{where}.security"),
        _completeness(reader, reader.below(node, where, "completeness"), f"{where}.completeness"),
        _availability(reader, reader.below(node, where, "availability"), f"{where}.availability"),
        {
            str(name): _threshold(reader, one, f"{where}.thresholds.{name}")
            for name, one in reader.below(node, where, "thresholds").items()
            if one is not None  # a threshold set to null is left out
        },
    )
    if reader.faults:
        raise InputError(reader.faults)
    return policy


class _Reader:
    """Reads values out of mappings and keeps every fault that it meets."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def refuse(self, where: str, problem: str, met: object = "", way_out: str = "") -> None:
        self.faults.append(Fault(where, problem, "" if met == "" else repr(met), way_out))

    def known(self, node: Mapping[str, Any], where: str, keys: tuple[str, ...]) -> None:
        for key in node:
            if key not in keys:
                near = difflib.get_close_matches(str(key), keys, n=1)
                way_out = f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(keys)
                self.refuse(f"{where}.{key}", "is not a known key", way_out=way_out)

    def below(self, node: Mapping[str, Any], where: str, key: str) -> Mapping[str, Any]:
        value = node.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.refuse(f"{where}.{key}", "must hold names and values", value)
            return {}
        return value

    def number(self, value: object, where: str, *, ratio: bool) -> float:
        """A finite number, in [0, 1] for a ratio; anything else is refused and read as 0."""
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
        ):
            self.refuse(where, "must be a finite number", value)
            return 0.0
        if ratio and not 0 <= value <= 1:
            self.refuse(where, "must lie between 0 and 1", value, "it is compared with a ratio")
            return 0.0
        return float(value)

    def share(self, node: Mapping[str, Any], where: str, key: str, default: float) -> float:
        return self.number(node[key], f"{where}.{key}", ratio=True) if key in node else default

    def truth(self, node: Mapping[str, Any], where: str, key: str, *, default: bool) -> bool:
        value = node.get(key, default)
        if not isinstance(value, bool):
            self.refuse(f"{where}.{key}", "must be true or false", value)
            return default
        return value


def _word(reader: _Reader, value: object, where: str, words: type[StrEnum]) -> Any:
    known = [word.value for word in words]
    if isinstance(value, str) and value in known:
        return words(value)
    reader.refuse(where, "is not one of " + ", ".join(known), value)
    return next(iter(words))


def _security(reader: _Reader, node: Mapping[str, Any], where: str) -> SecurityGate:
    reader.known(node, where, ("severities",))
    if "severities" not in node:
        return SecurityGate()
    listed = node["severities"]
    if isinstance(listed, str) or not isinstance(listed, list | tuple):
        reader.refuse(f"{where}.severities", "must be a list", listed)
        return SecurityGate()
    chosen = tuple(_word(reader, one, f"{where}.severities", Severity) for one in listed)
    for always in (Severity.CRITICAL, Severity.HIGH):
        if always not in chosen:
            reader.refuse(
                f"{where}.severities",
                f"leaves out {always}",
                list(listed),
                "a policy may add medium and low, not take away critical and high",
            )
    return SecurityGate(chosen)


def _completeness(reader: _Reader, node: Mapping[str, Any], where: str) -> CompletenessGate:
    reader.known(node, where, ("allowance", "allowances", "coverage", "stale_judgments"))
    default = CompletenessGate()
    return CompletenessGate(
        reader.share(node, where, "allowance", default.allowance),
        {
            str(family): reader.number(one, f"{where}.allowances.{family}", ratio=True)
            for family, one in reader.below(node, where, "allowances").items()
        },
        reader.share(node, where, "coverage", default.coverage),
        reader.share(node, where, "stale_judgments", default.stale_judgments),
    )


def _availability(reader: _Reader, node: Mapping[str, Any], where: str) -> AvailabilityGate:
    reader.known(node, where, ("starvation", "over_denial"))
    default = AvailabilityGate()
    return AvailabilityGate(
        reader.share(node, where, "starvation", default.starvation),
        reader.share(node, where, "over_denial", default.over_denial),
    )


_THRESHOLD_KEYS = (
    "metric",
    "at_least",
    "at_most",
    "estimate",
    "above",
    "stratum",
    "ratio",
    "required",
    "kind",
    "level",
)


def _threshold(reader: _Reader, node: object, where: str) -> ThresholdGate:
    if not isinstance(node, Mapping):
        reader.refuse(where, "must hold metric and at_least or at_most", node)
        return ThresholdGate("")
    reader.known(node, where, _THRESHOLD_KEYS)
    metric = node.get("metric")
    if not isinstance(metric, str) or not metric:
        reader.refuse(f"{where}.metric", "must name a metric", metric, "recall@10, for example")
    conventions = [one.name for one in fields(Conventions)]
    for key in read_name(str(metric))[1]:
        if key not in conventions:
            way_out = "known: " + ", ".join(conventions)
            reader.refuse(f"{where}.metric", "names no convention", key, way_out)
    ratio = reader.truth(node, where, "ratio", default=True)
    bounds = [key for key in ("at_least", "at_most") if key in node]
    if len(bounds) != 1:
        met = " and ".join(bounds) or "neither"
        reader.refuse(where, "needs exactly one of at_least and at_most", met)
    limits = {key: reader.number(node[key], f"{where}.{key}", ratio=ratio) for key in bounds}
    kind = _word(reader, node.get("kind", "quality"), f"{where}.kind", GateKind)
    if kind not in (GateKind.QUALITY, GateKind.AVAILABILITY):
        reader.refuse(f"{where}.kind", "a threshold is quality or availability", str(kind))
    estimate = _word(reader, node.get("estimate", "value"), f"{where}.estimate", Estimate)
    above = node.get("above")
    if (above is not None) != (estimate is Estimate.SHARE_ABOVE):
        way_out = "write both, estimate: share_above and above: 0.8, or neither"
        reader.refuse(f"{where}.above", "belongs to estimate: share_above", above, way_out)
    stratum = node.get("stratum") or ""
    if not isinstance(stratum, str) or (stratum and "=" not in stratum):
        reader.refuse(f"{where}.stratum", "names no stratum", stratum, "department=finance")
        stratum = ""
    if stratum and estimate is Estimate.SHARE_ABOVE:
        reader.refuse(f"{where}.stratum", "has no share_above", stratum, "hold its value or an end")
    if above is not None:
        above = reader.number(above, f"{where}.above", ratio=ratio)
    return ThresholdGate(
        metric=str(metric),
        at_least=limits.get("at_least"),
        at_most=limits.get("at_most"),
        estimate=estimate,
        ratio=ratio,
        required=reader.truth(node, where, "required", default=True),
        kind=kind,
        above=above,
        stratum=stratum,
        level=_word(reader, node.get("level", "gate"), f"{where}.level", Level),
    )
