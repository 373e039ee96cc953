"""How do the suites of time run on public corpora with histories, and on how many boundaries?

The tests and `tests/bench/bench_time.py` use it. A run goes to its decision; no report is written.
"""

import importlib.util
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from rageval_kit.build import compose
from rageval_kit.records.decisions import RunRecord
from rageval_kit.run.conclude import conclude
from rageval_kit.run.evaluate import Silent, ask_and_judge, ask_samples
from rageval_kit.run.measure import measure
from rageval_kit.run.open import open_run
from rageval_kit.run.prepare import Prepared, prepare
from rageval_kit.run.rows import AnswerRow, CaseRow

_TOOL = Path(__file__).parents[1] / "tools" / "versioned_corpora.py"
_SPEC = importlib.util.spec_from_file_location("time_runs_corpora", _TOOL)
assert _SPEC
assert _SPEC.loader
corpora = importlib.util.module_from_spec(_SPEC)
sys.modules["time_runs_corpora"] = corpora
_SPEC.loader.exec_module(corpora)

SUITES = ("as_of", "staleness")
OFFSETS = (timedelta(microseconds=-1), timedelta(), timedelta(microseconds=1))
EVERY = 12 * 957  # ASO-02 has 12 variants; no edge of one kind is met more often in site_policy
FROM_CORPUS = ("world.versions", "from=corpus")


@dataclass(frozen=True)
class Corpus:
    """One corpus as a person hands it to the kit."""

    name: str
    table: Path
    snapshot: Path
    directory: Path
    samples: Path | None = None

    def words(self) -> tuple[str, ...]:
        return (
            "corpus=snapshot",
            f"corpus.path={self.snapshot}",
            "access=directory",
            f"access.path={self.directory}",
        )


@dataclass(frozen=True)
class Run:
    prepared: Prepared
    rows: Sequence[CaseRow]
    answers: Sequence[AnswerRow]
    record: RunRecord
    seconds: float

    @property
    def exit_code(self) -> int:
        return self.record.decision.exit_code

    def of_the_corpus(self) -> list[CaseRow]:
        """The cases about documents that the kit did not plant."""
        own = self.prepared.original.documents
        return [row for row in self.rows if row.document_id in own]

    def boundaries(self) -> list[CaseRow]:
        rows = [row for row in self.rows if row.family == "ASO-02"]
        return [row for row in rows if FROM_CORPUS in row.variant]

    def violated(self) -> set[str]:
        return {family.family for family in self.record.families if family.violated}

    def unmet(self) -> dict[str, str]:
        gates = (gate for gate in self.record.decision.gates if not gate.met)
        return {str(gate.gate): "; ".join(gate.reasons) for gate in gates}


def corpus(
    name: str, data: Path, out: Path, *, head: int | None = None, **part: tuple[str, ...]
) -> Corpus:
    """`head`: of each version one text of so many signs; `part`: `among`, words of paths."""
    source = corpora.CORPORA[name](data, out, **part)
    if head is not None:
        rows = [json.loads(line) for line in source.table.read_text("utf-8").splitlines()]
        first = {row["version_id"]: row for row in reversed(rows)}  # of timeqa's many paragraphs
        cut = (
            json.dumps({**row, "text": row["text"][:head]}) + "\n"
            for row in rows
            if row is first[row["version_id"]]
        )
        source.table.write_text("".join(cut), encoding="utf-8")
    built = source.snapshot(out)
    return Corpus(name, source.table, built.folder, built.directory, source.samples)


def run(files: Corpus | None, archive: Path, *words: str) -> Run:
    """As far as the decision; of the shipped demo corpus where no files are given."""
    given = files.words() if files else ()
    started = time.perf_counter()
    plan = compose(*given, f"archive.root={archive}", "engine.resume=never", *words)
    prepared = prepare(plan)
    with open_run(prepared) as opened:
        answers = ask_samples(prepared, opened, Silent())
        rows = ask_and_judge(prepared, opened, Silent())
        measured = measure(prepared, rows, answers)
        record = conclude(prepared, opened, rows, answers, measured)
        plan.target.close()
    return Run(prepared, rows, answers, record, time.perf_counter() - started)


def boundaries(table: Path) -> tuple[int, int]:
    """Edges of all versions, and (edge, offset) at which some version of the document is not held.

    By the rows of the table alone. A version whose record has ended counts as none: nobody is
    denied it by its window. At an instant at which a document withholds nothing there is no case:
    that is so from the start of the only version of a document on.
    """
    of_document: Mapping[str, list[Mapping[str, str]]] = defaultdict(list)
    for line in table.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        of_document[row["document_id"]].append(row)
    edges = cases = 0
    for rows in of_document.values():
        known = [_window(row) for row in rows if "recorded_to" not in row]
        for edge in _edges(rows):
            edges += 1
            at = [edge + offset for offset in OFFSETS]
            cases += sum(any(not _holds(window, one) for window in known) for one in at)
    return edges, cases


Window = tuple[datetime, datetime | None]


def _window(row: Mapping[str, str]) -> Window:
    end = row.get("valid_to")
    return datetime.fromisoformat(row["valid_from"]), end and datetime.fromisoformat(end)


def _edges(rows: Iterable[Mapping[str, str]]) -> list[datetime]:
    return [edge for row in rows for edge in _window(row) if edge is not None]


def _holds(window: Window, at: datetime) -> bool:
    start, end = window
    return start <= at and (end is None or at < end)
