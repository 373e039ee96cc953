"""Is there evidence enough to decide anything at all?"""

from collections.abc import Sequence

from rageval_kit.gates.policy import CompletenessGate
from rageval_kit.gates.shown import number, shown
from rageval_kit.records.decisions import (
    ControlResult,
    FamilyResult,
    GateKind,
    GateResult,
    MetricResult,
    SamplesResult,
)

EXIT_INCOMPLETE = 4
# A query of these kinds asks nothing of the metric; every other reason is a score that is missing.
EXCUSED = frozenset({"undefined", "not_applicable"})


def completeness(
    gate: CompletenessGate,
    families: Sequence[FamilyResult],
    metrics: Sequence[MetricResult],
    controls: Sequence[ControlResult],
    samples: SamplesResult | None = None,
) -> GateResult:
    """Required families executed and decided within their allowance, scores and controls there."""
    decided = sum(family.held + family.violated for family in families)
    planned = sum(family.planned for family in families)
    reasons = []
    if not decided and not any(metric.n_scored for metric in metrics):
        reasons.append(f"nothing was executed: {decided} of {planned} cases decided, no score")
    for family in families:
        if family.required:
            reasons += _family(family, gate.allowances.get(family.family, gate.allowance))
    for metric in metrics:
        reasons += _coverage(metric, gate.coverage)
    if samples is not None:
        reasons += _samples(samples, gate.stale_judgments)
    reasons += [
        f"control {control.control} not met: {control.detail}".rstrip(": ")
        for control in controls
        if control.is_gated and control.met is False
    ]
    done, asked, word = decided, planned, "cases decided"
    if not families and samples is not None:
        done, asked, word = samples.n_answered, samples.n_questions, "questions answered"
    strata = ""
    if samples is not None:
        limit = number(gate.stale_judgments)
        strata = f", required strata filled, judgments older than their document <= {limit}"
    return GateResult(
        gate="completeness",
        kind=GateKind.COMPLETENESS,
        rule=(
            "every required family executed, undecided cases within the allowance "
            f"({number(gate.allowance)}), scores measured >= {number(gate.coverage)}, controls met"
            f"{strata}"
        ),
        met=not reasons,
        exit_code=EXIT_INCOMPLETE,
        value=done / asked if asked else None,
        shown=f"{done} of {asked} {word}",
        n_scored=done,
        n_total=asked,
        reasons=tuple(reasons),
    )


def _family(family: FamilyResult, allowance: float) -> list[str]:
    """What is missing of a required family; cases that were never run are missing too."""
    if family.not_applicable:
        return [f"required family {family.family} was not run: {family.not_applicable}"]
    if family.planned == 0:
        return [f"required family {family.family} planned no case"]
    decided = family.held + family.violated
    if decided == 0:
        return [f"required family {family.family}: 0 of {family.planned} decided{_why(family)}"]
    undecided = max(family.planned - decided, family.unobserved + family.failed)
    if undecided / family.planned <= allowance:
        return []
    share = shown(undecided / family.planned, allowance)
    said = (
        f"required family {family.family}: {undecided} of {family.planned} undecided "
        f"({share} > {number(allowance)}){_why(family)}"
    )
    return [said]


def _why(family: FamilyResult) -> str:
    unrun = family.planned - family.held - family.violated - family.unobserved - family.failed
    counts = (("unobserved", family.unobserved), ("failed", family.failed), ("not executed", unrun))
    said = [f"{n} {word}" for word, n in counts if n > 0]
    said += [f"{reason} {n}" for reason, n in family.reasons.items()]
    return ": " + ", ".join(said) if said else ""


def _samples(samples: SamplesResult, limit: float) -> list[str]:
    """Required strata below their minimum, and judgments older than what they judge."""
    small = {
        f"{row.dimension}={row.stratum}": (row.n_scored, row.n_least)
        for row in reversed(samples.strata)  # the first metric that lacks samples is the one told
        if row.n_scored < row.n_least
    }
    reasons = [
        f"required stratum {name}: {n} of at least {least} samples scored"
        for name, (n, least) in reversed(small.items())
    ]
    share = samples.stale_share
    if share is not None and share > limit:
        reasons.append(
            f"judged on an older version: {shown(share, limit)} of the relevant judgments "
            f"> {number(limit)}"
        )
    return reasons


def _coverage(metric: MetricResult, least: float) -> list[str]:
    """Coverage is over the queries of which the metric asks something."""
    excused = sum(n for reason, n in metric.reasons.items() if reason.split(":")[0] in EXCUSED)
    asked = metric.n_total - excused
    if asked <= 0:
        return [f"{_of(metric)}: none of {metric.n_total} queries can be scored"]
    coverage = metric.n_scored / asked
    if coverage >= least:
        return []
    said = ", ".join(
        f"{reason} {n}"
        for reason, n in metric.reasons.items()
        if reason.split(":")[0] not in EXCUSED
    )
    missing = f" ({said})" if said else ""
    text = (
        f"{_of(metric)}: {metric.n_scored} of {asked} queries scored, "
        f"coverage {shown(coverage, least)} < {number(least)}{missing}"
    )
    return [text]


def _of(metric: MetricResult) -> str:
    """The measure, and whose questions it was taken over."""
    return f"{metric.metric} ({metric.over})"
