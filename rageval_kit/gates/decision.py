"""What does a run come to, by which gate, and with which exit code? (rules.md 4)"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from rageval_kit.gates.completeness import completeness
from rageval_kit.gates.outcome import TWIN_FAILED
from rageval_kit.gates.policy import Estimate, GatePolicy, Level, SecurityGate, ThresholdGate
from rageval_kit.gates.shown import number, shown
from rageval_kit.records.conventions import Conventions, read_name
from rageval_kit.records.decisions import (
    ControlResult,
    Decision,
    FamilyResult,
    GateKind,
    GateResult,
    MetricResult,
    RunOutcome,
    SamplesResult,
)
from rageval_kit.records.verdicts import CountsAs

_OTHER = "unmeasured: under other conventions, "
EXIT_PASS = 0
EXIT_QUALITY = 1
EXIT_SECURITY = 3
EXIT_INCOMPLETE = 4
EXIT_INFRASTRUCTURE = 5

# If several apply, the first of these is the exit code.
_PRECEDENCE = (EXIT_SECURITY, EXIT_INFRASTRUCTURE, EXIT_INCOMPLETE, EXIT_QUALITY)


def decide_run(
    policy: GatePolicy,
    families: Sequence[FamilyResult],
    metrics: Sequence[MetricResult],
    *,
    calls: int,
    calls_answered: int,
    controls: Sequence[ControlResult] = (),
    crash: str = "",
    samples: SamplesResult | None = None,
) -> Decision:
    """Hold the evidence against every gate; one decision for console, reports and exit code.

    `calls_answered` counts replies of any kind, an HTTP 500 too; `crash`: what broke in the kit.
    """
    gates = [
        _security(policy.security, families),
        _infrastructure(calls, calls_answered, crash),
        completeness(policy.completeness, families, metrics, controls, samples),
        *_availability(policy, families),
    ]
    if samples is not None:
        gates.insert(1, _forbidden(samples))
        gates = gates if families else gates[1:]  # no family: no security case to speak of
    aside = []
    for name, gate in policy.thresholds.items():
        metric = _named(gate.metric, metrics)
        if metric is None and not gate.required:
            aside.append(f"not applied: {name}, this run did not measure {gate.metric}")
            continue
        if metric is not None and (other := _other_conventions(gate.metric, metric, samples)):
            metric = _unmeasured(metric, _OTHER + other)
        elif metric is not None and gate.stratum:
            metric = _in_stratum(gate, metric, samples)
        gates.append(_threshold(name, gate, metric))
    unmet = [gate for gate in gates if not gate.met and not gate.is_advice]
    advice = [gate for gate in gates if not gate.met and gate.is_advice]
    aside += [f"advice: {gate.gate}: {reason}" for gate in advice for reason in gate.reasons]
    codes = {gate.exit_code for gate in unmet}
    exit_code = next((code for code in _PRECEDENCE if code in codes), EXIT_PASS)
    unmet.sort(key=lambda gate: _PRECEDENCE.index(gate.exit_code))
    reasons = [f"{gate.gate}: {reason}" for gate in unmet for reason in gate.reasons]
    return Decision(_outcome(exit_code), exit_code, tuple(gates), (*reasons, *aside))


def _named(name: str, metrics: Sequence[MetricResult]) -> MetricResult | None:
    """The measure by that name, whatever its conventions; of two populations the first."""
    measure, _ = read_name(name)
    return next((one for one in metrics if read_name(one.metric)[0] == measure), None)


def _other_conventions(name: str, metric: MetricResult, samples: SamplesResult | None) -> str:
    """In which conventions the value departs from those that the threshold is meant for.

    A threshold means what its name says; where that is silent, unjudged results and queries
    without a relevant document are meant as a run treats them unless told otherwise, and the grain
    as the run's judgments name it. An upper bound thus never passes for the value itself.
    """
    usual = Conventions()
    meant: dict[str, str] = {"unjudged": usual.unjudged, "no_relevant": usual.no_relevant}
    if samples is not None and metric.over == "samples":
        meant["grain"] = samples.grain
    meant |= read_name(name)[1]
    return " ".join(
        f"{key}={met}"
        for key, wanted in meant.items()
        if (met := metric.conventions.get(key, getattr(usual, key))) != wanted
    )


def _unmeasured(metric: MetricResult, why: str) -> MetricResult:
    """The same measure without a value, as far as a gate is concerned."""
    return replace(
        metric, value=None, low=None, high=None, n_scored=0, n_total=0, reasons={why: 0}, shares={}
    )


def worst(decisions: Iterable[Decision | None]) -> int:
    """The exit code of a sweep; a decision that is missing, or no decision at all, counts as 5."""
    codes = {EXIT_INFRASTRUCTURE if one is None else one.exit_code for one in decisions}
    if not codes:
        return EXIT_INFRASTRUCTURE
    strange = codes - {EXIT_PASS, *_PRECEDENCE}
    if strange:  # not a code a decision can carry: the file on disk is not one of ours
        codes = (codes - strange) | {EXIT_INFRASTRUCTURE}
    return next((code for code in _PRECEDENCE if code in codes), EXIT_PASS)


def _outcome(exit_code: int) -> RunOutcome:
    if exit_code == EXIT_PASS:
        return RunOutcome.PASS
    return RunOutcome.INCOMPLETE if exit_code == EXIT_INCOMPLETE else RunOutcome.FAIL


def _security(gate: SecurityGate, families: Sequence[FamilyResult]) -> GateResult:
    security = [family for family in families if family.counts_as is CountsAs.SECURITY]
    gated = [family for family in security if family.severity in gate.severities]
    violated = sum(family.violated for family in gated)
    reasons = [
        f"{_cases(family.violated, 'violation')} in {family.family} ({family.severity})"
        for family in sorted(gated, key=lambda one: gate.severities.index(one.severity))
        if family.violated
    ]
    reasons += [
        f"reported only: {_cases(other.violated, 'violation')} in {other.family} ({other.severity})"
        for other in security
        if other not in gated and other.violated
    ]
    severities = ", ".join(gate.severities)
    decided = sum(family.held + family.violated for family in gated)
    return GateResult(
        gate="security",
        kind=GateKind.SECURITY,
        rule=f"no violated case in families of severity {severities}",
        met=violated == 0,
        exit_code=EXIT_SECURITY,
        # No case decided: there is no count to print, and 0 would read as safe.
        value=float(violated) if decided else None,
        threshold=0.0,
        shown=f"{violated} violated" if decided else "not measured",
        n_scored=decided,
        n_total=sum(family.planned for family in gated),
        reasons=tuple(reasons),
    )


def _forbidden(samples: SamplesResult) -> GateResult:
    """No average can offset one document shown to somebody who may not read it."""
    n, looked_at = samples.n_shown_forbidden, samples.n_looked_at
    seen = bool(n or looked_at)  # nothing looked at: there is no count, and 0 would read as safe
    return GateResult(
        gate="samples_permitted",
        kind=GateKind.SECURITY,
        rule="no result of a sample that its reader may not read",
        met=n == 0,
        exit_code=EXIT_SECURITY,
        value=float(n) if seen else None,
        threshold=0.0,
        shown=f"{n} violated" if seen else "not measured",
        n_scored=looked_at,
        n_total=samples.n_questions,
        reasons=(f"{_cases(n, 'result')} that the reader may not read",) if n else (),
    )


def _infrastructure(calls: int, answered: int, crash: str) -> GateResult:
    reasons = []
    if crash:
        reasons.append(f"the kit failed: {crash}")
    if calls and not answered:
        reasons.append(f"the target answered none of {_cases(calls, 'call')}")
    return GateResult(
        gate="infrastructure",
        kind=GateKind.INFRASTRUCTURE,
        rule="the target answered at least once and the kit did not crash",
        met=not reasons,
        exit_code=EXIT_INFRASTRUCTURE,
        value=float(answered) if calls else None,
        threshold=1.0,
        shown=f"{answered} of {calls} calls answered" if calls else "no call was made",
        n_scored=answered,
        n_total=calls,
        reasons=tuple(reasons),
    )


def _availability(policy: GatePolicy, families: Sequence[FamilyResult]) -> list[GateResult]:
    """Two gates: too little was found, and permitted readers were denied."""
    gate = policy.availability
    counted = [family for family in families if family.counts_as is CountsAs.AVAILABILITY]
    gates = []
    if any(not family.not_applicable for family in counted):
        gates.append(
            _share(
                "starvation",
                f"violated cases in families of availability, share <= {number(gate.starvation)}",
                [
                    (family.family, family.violated, family.held + family.violated)
                    for family in counted
                ],
                gate.starvation,
                "violated",
            )
        )
    executed = [
        family
        for family in families
        if family.has_readers and not family.not_applicable and family.planned
    ]
    if executed:
        gates.append(
            _share(
                "over_denial",
                f"permitted readers left without, share <= {number(gate.over_denial)}",
                [(family.family, _twins_failed(family), _decided(family)) for family in executed],
                gate.over_denial,
                "permitted readers left without",
            )
        )
    return gates


def _twins_failed(family: FamilyResult) -> int:
    return sum(n for reason, n in family.reasons.items() if reason.split(":")[0] == TWIN_FAILED)


def _decided(family: FamilyResult) -> int:
    return family.held + family.violated + _twins_failed(family)


def _share(
    name: str, rule: str, counts: Sequence[tuple[str, int, int]], limit: float, word: str
) -> GateResult:
    """A gate on a share of cases. With no case decided it stays open: completeness speaks then."""
    part, whole = sum(count for _, count, _ in counts), sum(total for _, _, total in counts)
    value = part / whole if whole else None
    met = value is None or value <= limit
    text = "not measured" if value is None else f"{shown(value, limit)} ({part} of {whole})"
    reasons = [f"{count} of {total} {word} in {family}" for family, count, total in counts if count]
    return GateResult(
        gate=name,
        kind=GateKind.AVAILABILITY,
        rule=rule,
        met=met,
        exit_code=EXIT_QUALITY,
        value=value,
        threshold=limit,
        shown=text,
        n_scored=whole,
        n_total=whole,
        reasons=tuple(reasons),
    )


def _threshold(name: str, gate: ThresholdGate, metric: MetricResult | None) -> GateResult:
    sign, word = (">=", "below") if gate.at_least is not None else ("<=", "above")
    of = _estimate(gate)
    value = None if metric is None else _value(gate, metric)
    if value is None:
        met, text = False, "not measured"
        reasons = [_why_unmeasured(gate, metric)]
    else:
        met, text = gate.accepts(value), shown(value, gate.threshold)
        reasons = [] if met else [f"{of} is {text}, {word} {number(gate.threshold)}"]
    return GateResult(
        gate=name,
        kind=gate.kind,
        rule=f"{of} {sign} {number(gate.threshold)}",
        met=met,
        exit_code=EXIT_INCOMPLETE if value is None else EXIT_QUALITY,
        value=value,
        threshold=gate.threshold,
        shown=text,
        n_scored=0 if metric is None else metric.n_scored,
        n_total=0 if metric is None else metric.n_total,
        reasons=tuple(reasons),
        is_advice=gate.level is Level.ADVICE,
    )


def _in_stratum(
    gate: ThresholdGate, metric: MetricResult | None, samples: SamplesResult | None
) -> MetricResult | None:
    """The metric over one stratum; one with too few samples is not measured well enough."""
    if metric is None or samples is None:
        return None
    for row in samples.strata:
        if (row.metric, f"{row.dimension}={row.stratum}") == (metric.metric, gate.stratum):
            few = bool(row.note)
            return replace(
                metric,
                value=None if few else row.value,
                low=row.low,
                high=row.high,
                n_scored=row.n_scored,
                n_total=row.n_total,
                reasons={"unmeasured: too few samples in the stratum": row.n_total} if few else {},
            )
    return _unmeasured(metric, "unmeasured: no sample names this stratum")


def _estimate(gate: ThresholdGate) -> str:
    if gate.stratum and gate.estimate is Estimate.VALUE:
        return f"{gate.metric} in {gate.stratum}"
    if gate.stratum:
        return f"{gate.estimate} end of the interval of {gate.metric} in {gate.stratum}"
    if gate.estimate is Estimate.VALUE:
        return gate.metric
    if gate.estimate is Estimate.SHARE_ABOVE:
        return f"share of queries with {gate.metric} above {number(gate.above or 0.0)}"
    return f"{gate.estimate} end of the interval of {gate.metric}"


def _value(gate: ThresholdGate, metric: MetricResult) -> float | None:
    if gate.estimate is Estimate.SHARE_ABOVE:
        return metric.shares.get(number(gate.above or 0.0))
    value: float | None = getattr(metric, gate.estimate.value)
    return value


def _why_unmeasured(gate: ThresholdGate, metric: MetricResult | None) -> str:
    if metric is None:
        return f"{gate.metric} was not measured in this run"
    other = next((why for why in metric.reasons if why.startswith(_OTHER)), "")
    if other:
        told = f"{gate.metric} was not measured under these conventions, but under"
        return f"{told} {other.removeprefix(_OTHER)}: the threshold must name them"
    if gate.stratum and metric.value is None:
        said = ", ".join(metric.reasons)
        return f"{gate.metric} was not measured in {gate.stratum} (n={metric.n_scored}): {said}"
    if metric.value is not None:
        return f"{gate.metric} has no interval: too few or all equal values (n={metric.n_scored})"
    said = ", ".join(f"{reason} ({n})" for reason, n in metric.reasons.items())
    return f"{gate.metric} was measured for 0 of {metric.n_total} queries: {said}".rstrip(": ")


def _cases(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"
