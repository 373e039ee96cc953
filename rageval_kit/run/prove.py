"""Can this suite fail? Every seeded fault is run against it, and the clean system on many seeds.

Kills are attributed (rules 5): a leaking fault is killed when a family that names it is violated; a
fault that denies too much when the run is incomplete through its twins or an availability gate
fails. A proof quotes the hash of exactly the suite that it proves.
"""

import re
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from rageval_kit.build.planning import Plan, Request, plan, with_spec
from rageval_kit.gates.outcome import TWIN_FAILED
from rageval_kit.records.decisions import ProofSummary
from rageval_kit.records.faults import InputError
from rageval_kit.records.verdicts import Outcome
from rageval_kit.resources import tree
from rageval_kit.run.evaluate import Progress, blocks
from rageval_kit.run.family_checks import judged_together, with_their_families
from rageval_kit.run.kit_faults import KIT_FAULTS
from rageval_kit.run.open import wall_clock
from rageval_kit.run.prepare import Prepared, prepare
from rageval_kit.run.repeats import run_block
from rageval_kit.run.rows import CaseRow
from rageval_kit.system.faults import FAULTS

CLEAN_SEEDS = 20
OF_PERMISSIONS = re.compile(r"(ACL|PRN|CAC|RNK|CIT|LOG|SID|DEL)-").match
CONTROL = "CTL-01"


def prove(asked: Plan, progress: Progress, *, seeds: int = CLEAN_SEEDS) -> ProofSummary:
    """Run all faults that the suite's families name, then `seeds` clean runs; archive nothing."""
    if asked.spec.fault is not None:
        raise InputError.one(
            "fault", "prove chooses the faults itself", asked.spec.fault, "leave it out"
        )
    whole = prepare(asked)
    ids = {family.id for family in whole.families}
    if not ids:
        way_out = "add one, for example +suite=acl_negative"
        raise InputError.one(
            "suites", "no suite was chosen, and only suites are proved", "", way_out
        )
    named = {name: info for name, info in FAULTS.items() if ids & set(info.families)}
    of = {name: sorted(ids & set(info.families)) for name, info in sorted(named.items())}
    behind = {
        name: families
        for name, families in of.items()
        if not named[name].in_model and any(map(OF_PERMISSIONS, families))
    }
    first = asked.spec.seed
    progress.start(len(of) + len(behind) + seeds)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        killed = {
            name: pool.submit(how_killed, asked.request, name, families)
            for name, families in of.items()
        }
        refused = {
            name: pool.submit(how_killed, asked.request, name, families, refusing=True)
            for name, families in behind.items()
        }
        clean = [pool.submit(is_silent, asked.request, first + number) for number in range(seeds)]
        jobs: list[Future[str] | Future[bool]] = [*killed.values(), *refused.values(), *clean]
        for _ in as_completed(jobs):
            progress.advance(1)
    progress.finish()
    matrix = [(name, "+".join(of[name]), job.result()) for name, job in killed.items()]
    matrix += kit_kills(whole)
    return ProofSummary(
        suite_hash=whole.suite_hash,
        date=wall_clock().date().isoformat(),
        faults_killed=sum(bool(how) for _, _, how in matrix),
        faults_total=len(matrix),
        clean_seeds=seeds,
        clean_silent=sum(job.result() for job in clean),
        cases=len(whole.cases),
        matrix=tuple(matrix),
        refusing=tuple((name, "+".join(of[name]), job.result()) for name, job in refused.items()),
        unseen=tuple(unseen_faults()) if behind else (),
    )


def unseen_faults() -> list[tuple[str, bool, str]]:
    """Faults of others' making, in the order they were tried: `suites/proofs/unseen.yaml`."""
    import yaml

    path = tree("suites") / "proofs" / "unseen.yaml"
    tried = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader) if path.is_file() else []
    return [(one["fault"], one["killed_at_first_try"], one.get("mended", "")) for one in tried]


def kit_kills(prepared: Prepared) -> list[tuple[str, str, str]]:
    """The kit's own faults against the kit's own checks, on the first block of the suite."""
    first = next(blocks(prepared.cases, prepared.plan.spec.engine.block), [])
    prepared.plan.target.connect(prepared.world)
    try:
        rows = run_cases(prepared, [case.case_id for case in first])
        there = {family.id for family in prepared.families}
        return [
            (name, control, kill(prepared, rows))
            for name, (control, kill) in KIT_FAULTS.items()
            if control in there
        ]
    finally:
        prepared.others.close()
        prepared.plan.target.close()


def how_killed(
    request: Request, fault: str, families: Sequence[str], *, refusing: bool = False
) -> str:
    """How the fault was killed, in words; '' where it survived.

    `refusing`: behind a model that refuses when its context holds what the reader may not read. A
    fault that is a lag alone is tried with service levels of 0 s, and so is the clean system first.
    """
    is_lag = FAULTS[fault].is_lag
    if is_lag:
        clean = with_spec(plan(request), families=families, refusing=refusing, at_once=True)
        if any(row.outcome is Outcome.VIOLATED for row in outcomes(clean)):
            return ""
    made = with_spec(
        plan(request), fault=fault, families=families, refusing=refusing, at_once=is_lag
    )
    rows = outcomes(made)
    violated = [row for row in rows if row.outcome is Outcome.VIOLATED]
    if violated:
        stages = sorted({str(f.stage) for row in violated for f in row.findings})
        told = f"violated in {len(violated)} of {len(rows)} cases at {', '.join(stages)}"
        return f"with service levels of 0 s {told}" if is_lag else told
    dead = sum(row.reason.startswith(TWIN_FAILED) for row in rows)
    if CONTROL in families and dead:
        return f"incomplete: {dead} of {len(rows)} twins failed"
    return ""


def is_silent(request: Request, seed: int) -> bool:
    """Whether every case of a clean run with this seed is held."""
    rows = outcomes(with_spec(plan(request), seed=seed))
    return bool(rows) and all(row.outcome is Outcome.HELD for row in rows)


def outcomes(made: Plan) -> list[CaseRow]:
    """The rows of a plan, run in memory."""
    prepared = prepare(made)
    made.target.connect(prepared.world)
    try:
        return run_cases(prepared, [case.case_id for case in prepared.cases])
    finally:
        prepared.others.close()
        made.target.close()


def run_cases(prepared: Prepared, case_ids: Iterable[str], key: bytes = b"") -> list[CaseRow]:
    """Run the named cases in their blocks (so that each meets the state it met before)."""
    wanted = set(case_ids)
    needed = with_their_families(prepared.families, prepared.cases, wanted)
    rows: list[CaseRow] = []
    for block in blocks(prepared.cases, prepared.plan.spec.engine.block):
        if needed & {case.case_id for case in block}:
            rows += [row for row in run_block(prepared, block, key)[0] if row.case_id in needed]
    return [row for row in judged_together(prepared.families, rows) if row.case_id in wanted]
