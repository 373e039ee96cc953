"""What does a run come to, all told: one record from which every report is made?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from platform import python_version
from time import perf_counter

from rageval_kit.gates.decision import decide_run
from rageval_kit.records.decisions import FamilyResult, RunRecord
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.controls import controls
from rageval_kit.run.families import coverage, family_results
from rageval_kit.run.findings import findings
from rageval_kit.run.measure import Measured
from rageval_kit.run.open import OpenRun, wall_clock
from rageval_kit.run.payloads import ABSENT, own_payloads
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.proofs import proof_of
from rageval_kit.run.rows import AnswerRow, CaseRow, answered

FINDINGS_KEPT = 1000
PACKAGES = ("rageval-kit", "hydra-core", "omegaconf", "numpy", "polars", "bm25s", "jinja2")


def conclude(
    prepared: Prepared,
    run: OpenRun,
    rows: Sequence[CaseRow],
    answers: Sequence[AnswerRow],
    measured: Measured,
) -> RunRecord:
    """Counts, controls, measures and the decision of a run whose cases are all there."""
    plan, world = prepared.plan, prepared.world
    spec, target = plan.spec, plan.target
    families = family_results(prepared.made, rows, prepared.required)
    cells = coverage(prepared.made, rows)
    proof = proof_of(prepared.suite_hash, plan.archive_root)
    checked = controls(prepared, rows, cells, proof, run.key)
    told = findings(prepared, rows, run.run_id, measured.forbidden)
    decision = decide_run(
        plan.gate,
        families,
        measured.results,
        calls=run.calls,
        calls_answered=answered(rows, answers),
        controls=checked,
        samples=measured.samples,
    )
    return RunRecord(
        run_id=run.run_id,
        fingerprint=prepared.fingerprint,
        started_at=run.started_at.isoformat(timespec="seconds"),
        finished_at=wall_clock().isoformat(timespec="seconds"),
        resumed=run.resumed,
        command=plan.request.command,
        user=run.user,
        target=target.name,
        target_parts={**target.describe(), "planted": _planted(prepared)},
        grain=str(target.grain),
        taps=tuple(sorted(str(tap) for tap in prepared.scene.taps)),
        powers=tuple(sorted(str(power) for power in target.powers)),
        fault=spec.fault or "",
        snapshot=world.name or "snapshot",
        snapshot_digest=prepared.snapshot_digest,
        directory_digest=prepared.directory_digest,
        documents=len(prepared.original.documents),
        chunks=sum(len(v.chunks) for d in prepared.original.documents.values() for v in d.versions),
        principals=len(prepared.original.principals),
        suites=tuple(spec.suites),
        suite_hash=prepared.suite_hash,
        seed=spec.seed,
        now=world.clock.isoformat(),
        as_of=(spec.as_of or world.clock).isoformat(),
        known_at=(spec.known_at or world.clock).isoformat(),
        cases_planned=len(prepared.cases),
        cases_executed=len(rows),
        calls=run.calls,
        calls_failed=run.calls_failed,
        duration_s=round(perf_counter() - run.began, 3),
        target_s=round(run.target_s, 3),
        families=tuple(families),
        controls=tuple(checked),
        coverage=cells,
        proof=proof,
        findings=tuple(told[:FINDINGS_KEPT]),
        findings_total=len(told),
        metrics=measured.results,
        decision=decision,
        not_run=(*_not_run(prepared, families), *measured.unfit),
        versions=_versions(),
        config_text=plan.request.resolved_text,
        previous=spec.archive.previous or "",
        samples=measured.samples,
        payloads=own_payloads(prepared.families, spec.payloads),
        payload_sources=_sources(prepared),
        decided_by=prepared.decided_by,
        documents_denied=_documents_denied(prepared, rows),
    )


def _documents_denied(prepared: Prepared, rows: Sequence[CaseRow]) -> int:
    """How many of the world's own documents a decided case was about, its reader denied."""
    decided = {Outcome.HELD, Outcome.VIOLATED}
    asked = {row.document_id for row in rows if row.denied_by and row.outcome in decided}
    return len(asked & prepared.original.documents.keys())


def _planted(prepared: Prepared) -> str:
    """What the kit added to the world before the target indexed it."""
    world, original = prepared.world, prepared.original
    documents = len(world.documents) - len(original.documents)
    people = len(world.principals) - len(original.principals)
    canaries = len(prepared.scene.canaries)
    return f"{documents} documents, {people} principals, {canaries} canaries"


def _sources(prepared: Prepared) -> tuple[tuple[str, int], ...]:
    """Where the payloads of the cases are from, and of how many cases each."""
    payloads = (case.expectation.payload for case in prepared.cases)
    sources = (one.source.partition(": ")[2] for one in payloads if one)
    return tuple(sorted(Counter(filter(None, sources)).items()))


def _not_run(prepared: Prepared, families: Sequence[FamilyResult]) -> tuple[tuple[str, str], ...]:
    """Families without a case, and variants of others, each with its reason."""
    absent = [(f.family, f.not_applicable) for f in families if f.not_applicable]
    partly = [
        (f"{made.family.id} ({variant})", reason)
        for made in prepared.made
        if made.cases
        for variant, reason in made.nothing.items()
    ]
    own = prepared.plan.spec.payloads
    if own.path is not None and not any(family.added for family in prepared.families):
        absent.append((own.path, ABSENT.format(family=own.family)))
    return tuple(absent + partly)


def _versions() -> Mapping[str, str]:
    found = {"python": python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found
