"""What does a record say once counted: how many violations, where, and what was never tested?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rageval_kit.records.decisions import (
    FamilyResult,
    FindingRecord,
    GateKind,
    GateResult,
    RunOutcome,
    RunRecord,
    StageCount,
)
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CountsAs, Severity
from rageval_kit.report.telling import KINDS, kind_of
from rageval_kit.stats import clopper_pearson

SHOWN_FINDINGS = 50
_SHOWN_OF_SEVERAL = 20  # where several families are violated, or one of each of them
FEW = 6  # of a list, on the first screen
# A step of these was about a document they may read; another one came back with it.
ENTITLED = frozenset({"twin", "service", "owner"})
REPEATS = "repeats_violated"
# What the section on hidden facts tells, with what it means.
OF_CHOICES = frozenset(
    {"choice_right", "choice_made", "visible_right", "nowhere_right", "nowhere_made"}
)
_OWN = ("retrieve.sparse", "retrieve.dense", "reply")  # of some targets only: not missed
_STAGES = tuple(map(str, Stage))
_SEVERITIES = tuple(Severity)
_KINDS = tuple(GateKind)


@dataclass(frozen=True, slots=True)
class Cell:
    """One family at one stage; `finding` is the number of its first finding on the page, or 0."""

    state: str
    spoke: int = 0
    violated: int = 0
    silent: int = 0
    finding: int = 0
    bound: float | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """How often a family's cases showed what decides nothing, with the exact interval (95 %)."""

    family: FamilyResult
    name: str
    times: int
    n: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    number: int
    family: FamilyResult
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Breached:
    """A violated family; `finding` is the number of its first finding on the page, or 0."""

    family: FamilyResult
    stages: tuple[tuple[str, int], ...]
    finding: int


@dataclass(frozen=True, slots=True)
class View:
    """All that the templates count; nothing here is a judgement, `decision` alone judges."""

    headline: str
    leaks: int
    breaches: int
    leaking: tuple[FamilyResult, ...]
    leaking_files: tuple[FamilyResult, ...]
    files: int
    files_leaking: int
    by_severity: Mapping[str, int]
    held: int
    violated: int
    unobserved: int
    failed: int
    lagged: int
    weakest: FamilyResult | None
    strongest: FamilyResult | None
    exhaustive: int
    bounded: tuple[FamilyResult, ...]
    bounded_first: tuple[FamilyResult, ...]
    clean: int
    not_tested: tuple[tuple[str, str], ...]
    not_tested_first: tuple[tuple[str, str], ...]
    gates: tuple[GateResult, ...]
    unmet: tuple[GateResult, ...]
    files_in_gate: Mapping[str, int]
    reasons_first: tuple[str, ...]
    reasons_more: int
    taps: tuple[str, ...]
    stages: tuple[str, ...]
    matrix: tuple[Row, ...]
    findings: tuple[FindingRecord, ...]
    breached: tuple[Breached, ...]
    families: tuple[FamilyResult, ...]
    availability: tuple[FamilyResult, ...]
    told: tuple[Told, ...]
    choices: tuple[FamilyResult, ...]
    kinds: tuple[tuple[str, tuple[FamilyResult, ...]], ...]
    repeats: int


def rank(severity: Severity) -> int:
    return _SEVERITIES.index(severity)


def most_severe_first(findings: tuple[FindingRecord, ...]) -> tuple[FindingRecord, ...]:
    order = {severity: place for place, severity in enumerate(_SEVERITIES)}
    return tuple(sorted(findings, key=lambda f: (order[f.severity], f.family, f.case_id)))


def a_few_of_each(
    findings: tuple[FindingRecord, ...], most: int, of_several: int
) -> tuple[FindingRecord, ...]:
    """At most so many, the gravest first; of several families each has its first before a second.

    Otherwise a family with many alike would hide all others.
    """
    order = most_severe_first(findings)
    of: dict[str, list[FindingRecord]] = {}
    for finding in order:
        of.setdefault(finding.family, []).append(finding)
    limit = most if len(of) == 1 else min(most, max(of_several, len(of)))
    rounds = [one for turn in zip_longest(*of.values()) for one in turn if one is not None]
    return most_severe_first(tuple(rounds[:limit]))


def _breached(
    families: tuple[FamilyResult, ...], shown: tuple[FindingRecord, ...]
) -> tuple[Breached, ...]:
    """The violated families, security before availability and the gravest first."""
    first: dict[str, int] = {}
    for number, finding in enumerate(shown, start=1):
        first.setdefault(finding.family, number)
    violated = [family for family in families if family.violated]
    violated.sort(key=lambda f: (f.counts_as is not CountsAs.SECURITY, rank(f.severity), f.family))
    return tuple(
        Breached(
            family,
            tuple((count.stage, count.violated) for count in family.stages if count.violated),
            first.get(family.family, 0),
        )
        for family in violated
    )


def _in_order(stages: Iterable[str]) -> tuple[str, ...]:
    """Stages in the order in which a question passes them, unknown ones after these."""
    given = dict.fromkeys(stages)
    known = tuple(stage for stage in _STAGES if stage in given)
    return known + tuple(sorted(stage for stage in given if stage not in _STAGES))


def _state(count: StageCount) -> str:
    if count.violated:
        return "violated"
    if count.silent:
        return "silent"
    return "held" if count.spoke else "nothing"


def _rows(
    families: tuple[FamilyResult, ...], stages: tuple[str, ...], shown: tuple[FindingRecord, ...]
) -> tuple[Row, ...]:
    first: dict[tuple[str, str], int] = {}
    for number, finding in enumerate(shown, start=1):
        first.setdefault((finding.family, finding.stage), number)
    rows = []
    for number, family in enumerate(families, start=1):
        counts = {count.stage: count for count in family.stages}
        cells = tuple(
            Cell(
                _state(c),
                c.spoke,
                c.violated,
                c.silent,
                first.get((family.family, stage), 0),
                c.upper_bound,
            )
            if (c := counts.get(stage))
            else Cell("nothing")
            for stage in stages
        )
        rows.append(Row(number, family, cells))
    return tuple(rows)


def _not_tested(run: RunRecord) -> tuple[tuple[str, str], ...]:
    listed = {name for name, _ in run.not_run}
    own = [
        (family.family, family.not_applicable)
        for family in run.families
        if family.not_applicable and family.family not in listed
    ]
    silent = [
        (stage, "unmeasured")
        for stage in _STAGES
        if stage not in run.taps and stage not in listed and stage not in _OWN
    ]
    return (*run.not_run, *own, *silent)


def _kinds(
    run: RunRecord, leaking: tuple[FamilyResult, ...]
) -> tuple[tuple[str, tuple[FamilyResult, ...]], ...]:
    """What the violated families of security showed, each kind with its families.

    A record keeps the first findings only: a family without one is of the kind `other`.
    """
    met: dict[str, set[str]] = {}
    for finding in run.findings:
        met.setdefault(finding.family, set()).add(kind_of(finding))
    of = {family.family: met.get(family.family, {"other"}) for family in leaking}
    sorted_out = ((kind, tuple(f for f in leaking if kind in of[f.family])) for kind in KINDS)
    return tuple((kind, families) for kind, families in sorted_out if families)


def _repeats(families: tuple[FamilyResult, ...]) -> int:
    """How often each case was run, as far as the families tell."""
    cases = sum(f.planned for f in families if REPEATS in f.told)
    return sum(f.told[REPEATS][1] for f in families if REPEATS in f.told) // cases if cases else 1


def _headline(run: RunRecord, leaks: int, files: int, kinds: Sequence[str], breaches: int) -> str:
    """Which sentence sums the run up; none may deny what a tile or a gate below it tells."""
    if run.decision.outcome is RunOutcome.PASS:
        return "pass_reported" if leaks or files else "pass"
    if run.decision.outcome is RunOutcome.INCOMPLETE:
        return "incomplete" if run.cases_executed else "incomplete_empty"
    if leaks:
        return "fail_leaks" if kinds == ["sight"] else "fail_broken"
    if files:
        return "fail_files"
    unsafe = any(g.kind is GateKind.SECURITY and not g.met for g in run.decision.gates)
    if unsafe:
        return "fail_security"
    return "fail_breaches" if breaches else "fail_gate"


def _files_in_gate(run: RunRecord, gate: GateResult) -> int:
    """How many of what a gate counts are files the kit searched itself, not cases; 0 if none."""
    counted: tuple[FamilyResult, ...] = ()
    if gate.kind is GateKind.COMPLETENESS:
        counted = run.families
    elif gate.kind is GateKind.SECURITY:
        counted = tuple(
            family
            for family in run.families
            if family.counts_as is CountsAs.SECURITY and str(family.severity) in gate.rule
        )
    whole = sum(family.planned for family in counted)
    files = sum(family.planned for family in counted if not family.has_readers)
    return files if gate.n_total == whole else 0


def _reasons(run: RunRecord) -> tuple[tuple[str, ...], int]:
    """The first reasons of the decision, and how many more stand with the gates that gave them."""
    with_gate = {f"{g.gate}: {reason}" for g in run.decision.gates for reason in g.reasons}
    own = [reason for reason in run.decision.reasons if reason in with_gate]
    if len(own) <= FEW:
        return run.decision.reasons, 0
    kept = set(own[:FEW])
    first = [r for r in run.decision.reasons if r in kept or r not in with_gate]
    return tuple(dict.fromkeys(first)), len(own) - FEW


def view(run: RunRecord) -> View:
    """Count once what several sections print, so that they cannot disagree."""
    ran = tuple(family for family in run.families if not family.not_applicable)
    cases = tuple(family for family in ran if family.has_readers)
    unsafe = [f for f in ran if f.counts_as is CountsAs.SECURITY]
    leaking = tuple(
        sorted((f for f in unsafe if f.violated and f.has_readers), key=lambda f: rank(f.severity))
    )
    breaching = tuple(f for f in cases if f.violated and f.counts_as is not CountsAs.SECURITY)
    leaking_files = tuple(f for f in unsafe if f.violated and not f.has_readers)
    files_leaking = sum(f.violated for f in leaking_files)
    leaks, breaches = sum(f.violated for f in leaking), sum(f.violated for f in breaching)
    by_severity = {str(s): sum(f.violated for f in unsafe if f.severity is s) for s in _SEVERITIES}
    if run.samples is not None:
        by_severity[str(Severity.CRITICAL)] += run.samples.n_shown_forbidden
    clean = [f for f in unsafe if not f.violated and f.held]
    bounded = [f for f in clean if not f.exhaustive and f.upper_bound is not None]
    kinds = _kinds(run, leaking)
    reasons_first, reasons_more = _reasons(run)
    used = {count.stage for family in ran for count in family.stages}
    stages = _in_order(used)
    shown = a_few_of_each(run.findings, SHOWN_FINDINGS, _SHOWN_OF_SEVERAL)
    not_tested = _not_tested(run)
    first = not_tested if len(not_tested) <= FEW + 1 else not_tested[:FEW]
    gates = tuple(sorted(run.decision.gates, key=lambda g: _KINDS.index(g.kind)))
    return View(
        headline=f"{run.decision.outcome}_samples"
        if run.samples is not None and not run.families
        else _headline(run, leaks, files_leaking, [kind for kind, _ in kinds], breaches),
        leaks=leaks,
        breaches=breaches,
        leaking=leaking,
        leaking_files=leaking_files,
        files=sum(f.planned for f in ran if not f.has_readers),
        files_leaking=files_leaking,
        by_severity=by_severity,
        held=sum(f.held for f in cases),
        violated=sum(f.violated for f in cases),
        unobserved=sum(f.unobserved for f in cases),
        failed=sum(f.failed for f in cases),
        lagged=sum(f.lagged for f in cases),
        weakest=max(bounded, key=lambda f: f.upper_bound or 0.0, default=None),
        strongest=min(bounded, key=lambda f: f.upper_bound or 0.0, default=None),
        exhaustive=sum(f.exhaustive and f.has_readers for f in clean),
        bounded=tuple(bounded),
        bounded_first=tuple(bounded[:FEW]),
        clean=len(clean),
        not_tested=not_tested,
        not_tested_first=first,
        gates=gates,
        unmet=tuple(gate for gate in gates if not gate.met and not gate.is_advice),
        files_in_gate={gate.gate: _files_in_gate(run, gate) for gate in gates},
        reasons_first=reasons_first,
        reasons_more=reasons_more,
        taps=_in_order(run.taps),
        stages=stages,
        matrix=_rows(ran, stages, shown),
        findings=shown,
        breached=_breached(ran, shown),
        families=ran,
        availability=tuple(f for f in ran if f.counts_as is not CountsAs.SECURITY),
        told=tuple(
            Told(family, name, times, n, *(clopper_pearson(times, n) if n else (0.0, 1.0)))
            for family in ran
            for name, (times, n) in family.told.items()
            if not (family.choice and name in OF_CHOICES)
        ),
        choices=tuple(family for family in ran if family.choice),
        kinds=kinds,
        repeats=_repeats(ran),
    )
