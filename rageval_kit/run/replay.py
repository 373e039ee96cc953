"""Does an archived run, or one case of it, come to the same when made and run again?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from rageval_kit.archive.chain import read_chain
from rageval_kit.archive.encoding import decode_record
from rageval_kit.archive.reading import read_file
from rageval_kit.build import plan, requests
from rageval_kit.build.shape import nearest
from rageval_kit.execute.block import Runner
from rageval_kit.records.decisions import RunRecord
from rageval_kit.records.faults import InputError
from rageval_kit.records.verdicts import Outcome
from rageval_kit.run.answers import answers_of
from rageval_kit.run.evaluate import Progress, close
from rageval_kit.run.prepare import Prepared, prepare
from rageval_kit.run.prove import run_cases
from rageval_kit.run.repeats import CHANCE, SPOKEN, by_chance, varies
from rageval_kit.run.rows import AnswerRow, StepRow, show_the_same


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """How many cases were repeated, and what came to something else, one line each.

    `varied`: verdicts that came out otherwise of a target that never answers twice alike, no more
    of them than chance brings.
    """

    repeated: int
    differences: tuple[str, ...]
    varied: tuple[str, ...] = ()


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
    asked = _asked(folder, record)
    if case is not None and case not in archived | asked:
        way_out = nearest(case, archived | asked)
        raise InputError.one(f"case {case}", "is not in this run", way_out=way_out)
    prepared = _prepared(record, config_dir)
    wanted = [one for one in archived if case in (None, one)]
    questions = [one for one in asked if case in (None, one)]
    progress.start(len(wanted) + len(questions))
    try:
        differences = _questions_again(prepared, [asked[one] for one in questions])
        prepared.plan.target.connect(prepared.world)
        rows = run_cases(prepared, wanted)
    finally:
        close(prepared.plan.target)
    progress.advance(len(rows) + len(questions))
    progress.finish()
    fickle = varies(prepared.plan.target, prepared.plan.spec.engine.repeats)
    moved = []
    for row in rows:
        before = archived[row.case_id]["outcome"]
        if row.outcome != before:
            moved.append(f"{row.case_id}: was {before}, is {row.outcome}")
        steps = msgspec.convert(traces[row.case_id]["steps"], list[StepRow])
        same = show_the_same(steps, row.steps, SPOKEN if fickle else ())
        if not same and (fickle or row.outcome == before):
            differences.append(f"{row.case_id}: {row.outcome} again, but other ids were shown")
    outcomes = [Outcome(archived[row.case_id]["outcome"]) for row in rows]
    chance = by_chance(outcomes, [row.outcome for row in rows]) if fickle else 0.0
    if chance < CHANCE:
        differences = [*moved, *differences]
    missing = set(wanted) - {row.case_id for row in rows}
    differences += [f"{case_id}: could not be made again" for case_id in sorted(missing)]
    varied = tuple(moved) if chance >= CHANCE else ()
    return ReplayReport(len(rows) + len(questions), tuple(differences), varied)


def _asked(folder: Path, record: RunRecord) -> dict[str, AnswerRow]:
    """The archived answers to judged questions, by query; there are none in a run without."""
    if record.samples is None:
        return {}
    lines = read_chain(folder / "samples.jsonl")
    rows = [msgspec.convert(line, AnswerRow) for line in lines]
    return {row.query_id: row for row in rows}


def _questions_again(prepared: Prepared, before: Sequence[AnswerRow]) -> list[str]:
    """Ask the same questions again; what was shown, or failed, must be the same."""
    if prepared.questions is None or not before:
        return []
    prepared.plan.target.connect(prepared.original)
    runner, size = Runner(prepared.plan.target), prepared.plan.spec.engine.block
    known = {question.query_id: question for question in prepared.questions.all}
    questions = [known[row.query_id] for row in before if row.query_id in known]
    now = {
        row.query_id: row
        for start in range(0, len(questions), size)
        for row in answers_of(questions[start : start + size], runner, b"")[0]
    }
    differences = []
    for row in before:
        again = now.get(row.query_id)
        if again is None:
            differences.append(f"query {row.query_id}: could not be asked again")
        elif (again.ids, again.listed, again.error) != (row.ids, row.listed, row.error):
            differences.append(f"query {row.query_id}: other ids were shown")
    return differences


def _prepared(record: RunRecord, config_dir: Path | None) -> Prepared:
    """The run's own plan from its own words; refused where the inputs are not the same any more."""
    made, _ = requests(record.command, config_dir=config_dir)
    prepared = prepare(plan(made[0]))
    for what, then, now in (
        ("snapshot", record.snapshot_digest, prepared.snapshot_digest),
        ("directory", record.directory_digest, prepared.directory_digest),
        ("suite", record.suite_hash, prepared.suite_hash),
        (
            "samples",
            record.samples.digest if record.samples else "",
            prepared.questions.digest if prepared.questions else "",
        ),
    ):
        if then != now:
            raise InputError.one(
                what, "is not the one that the run used", now[:12], f"the run used {then[:12]}"
            )
    return prepared
