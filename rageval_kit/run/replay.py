"""Does an archived run, or one case of it, come to the same when made and run again?"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from rageval_kit.archive.chain import read_chain
from rageval_kit.archive.encoding import decode_record
from rageval_kit.archive.reading import read_file
from rageval_kit.build import plan, requests
from rageval_kit.build.shape import nearest
from rageval_kit.records.decisions import RunRecord
from rageval_kit.records.faults import InputError
from rageval_kit.run.evaluate import Progress, close
from rageval_kit.run.prepare import Prepared, prepare
from rageval_kit.run.prove import run_cases
from rageval_kit.run.rows import StepRow, show_the_same


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """How many cases were repeated, and what came to something else, one line each."""

    repeated: int
    differences: tuple[str, ...]


def replay(
    folder: Path, case: str | None, progress: Progress, *, config_dir: Path | None = None
) -> ReplayReport:
    """Make the archived cases again from snapshot, suite and seed, run them, and compare.

    Verdicts, and the ids at every tap, must be the same; what was said there is not compared, so
    the key of the run's hashes is not needed.
    """
    where = str(folder / "summary.json")
    record = decode_record(read_file(folder, "summary.json"), RunRecord, where=where)
    archived = {line["case_id"]: line for line in read_chain(folder / "verdicts.jsonl")}
    traces = {line["case_id"]: line for line in read_chain(folder / "traces.jsonl")}
    if case is not None and case not in archived:
        raise InputError.one(f"case {case}", "is not in this run", way_out=nearest(case, archived))
    prepared = _prepared(record, config_dir)
    wanted = [case] if case else list(archived)
    prepared.plan.target.connect(prepared.world)
    progress.start(len(wanted))
    try:
        rows = run_cases(prepared, wanted)
    finally:
        close(prepared.plan.target)
    progress.advance(len(rows))
    progress.finish()
    differences = []
    for row in rows:
        before = archived[row.case_id]["outcome"]
        if row.outcome != before:
            differences.append(f"{row.case_id}: was {before}, is {row.outcome}")
            continue
        steps = msgspec.convert(traces[row.case_id]["steps"], list[StepRow])
        if not show_the_same(steps, row.steps):
            differences.append(f"{row.case_id}: {row.outcome} again, but other ids were shown")
    missing = set(wanted) - {row.case_id for row in rows}
    differences += [f"{case_id}: could not be made again" for case_id in sorted(missing)]
    return ReplayReport(len(rows), tuple(differences))


def _prepared(record: RunRecord, config_dir: Path | None) -> Prepared:
    """The run's own plan from its own words; refused where the inputs are not the same any more."""
    made, _ = requests(record.command, config_dir=config_dir)
    prepared = prepare(plan(made[0]))
    for what, then, now in (
        ("snapshot", record.snapshot_digest, prepared.snapshot_digest),
        ("directory", record.directory_digest, prepared.directory_digest),
        ("suite", record.suite_hash, prepared.suite_hash),
    ):
        if then != now:
            raise InputError.one(
                what, "is not the one that the run used", now[:12], f"the run used {then[:12]}"
            )
    return prepared
