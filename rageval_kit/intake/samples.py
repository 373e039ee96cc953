"""Evaluation samples: questions with what must be found, and what may be answered."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rageval_kit.corpus.times import Side, parse_instant
from rageval_kit.intake.cells import CellError, Kind, read_id
from rageval_kit.intake.files import Row, read_rows
from rageval_kit.intake.flatten import Flattener, Table
from rageval_kit.intake.relations import check_known, check_unique
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.intake.schemas import check_table
from rageval_kit.intake.tables import Column, TableSpec
from rageval_kit.text.normalise import nfc

ANSWERABILITY = ("answerable", "unanswerable", "ask", "escalate")
BEHAVIOURS = ("answer", "refuse", "ask", "escalate")
ORIGINS = ("real", "expert", "past_failure", "stress", "generated")
TIERS = ("core", "supporting", "marginal")
HIGHEST_GRADE = 3

_BEHAVIOUR_OF = dict(zip(ANSWERABILITY, ("answer", "refuse", "ask", "escalate"), strict=True))
_REQUIRES = re.compile(r"requires_(.+)", re.DOTALL)

SAMPLES = TableSpec(
    "samples",
    (
        Column("query_id", Kind.ID, required=True),
        Column("question", Kind.TEXT, required=True),
        Column("task_type", Kind.TEXT),
        Column("as_of", Kind.INSTANT),
        Column("known_at", Kind.INSTANT),
        Column("principal", Kind.ID),
        Column("corpus_snapshot", Kind.TEXT),
        Column("reference_answer", Kind.TEXT),
        Column("answerability", Kind.WORD, words=ANSWERABILITY),
        Column("missing_condition", Kind.TEXT),
        Column("expected_behavior", Kind.TEXT),
        Column("origin", Kind.WORD, words=ORIGINS),
        Column("split", Kind.WORD, words=("development", "locked", "training", "regression")),
    ),
    key="query_id",
)
JUDGMENTS = TableSpec("judgments", (Column("passage", Kind.ID, required=True),))
# Keys whose values are not one cell; each is read below.
_STRUCTURED = (
    "relevant_passages",
    "required_evidence_sets",
    "reference_facts",
    "evidence_tiers",
    "accepted_refusals",
    "strata",
    "user_context",
    "labelling",
)


@dataclass(frozen=True, slots=True)
class Sample:
    """One question. `behaviour` is one of BEHAVIOURS.

    A bare date in `as_of` or `known_at` is the start of that day.
    """

    query_id: str
    question: str
    task_type: str = ""
    as_of: datetime | None = None
    known_at: datetime | None = None
    principal_id: str | None = None
    snapshot: str = ""
    grades: Mapping[str, int] = field(default_factory=dict)
    evidence_sets: tuple[frozenset[str], ...] = ()
    tiers: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    reference_answer: str = ""
    answerability: str = "answerable"
    missing_condition: str = ""
    behaviour: str = "answer"
    behaviour_note: str = ""
    accepted_refusals: tuple[str, ...] = ()
    strata: Mapping[str, str] = field(default_factory=dict)
    user_context: Mapping[str, str] = field(default_factory=dict)
    labelling: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""
    split: str = ""


def read_sample_rows(path: Path, faults: Collector) -> list[Row]:
    return read_rows(path, faults)


def check_samples(
    rows: list[Row],
    faults: Collector,
    *,
    timezone: str = "UTC",
    chunk_ids: frozenset[str] | None = None,
) -> list[tuple[Row, Sample]]:
    """Judge all rows; the samples that come back are those that could be read.

    `chunk_ids` are those of the snapshot the samples speak of; None: not compared.
    """
    flattener = Flattener(timezone, faults)
    table, judgments = flattener.table(SAMPLES), flattener.table(JUDGMENTS)
    read: list[tuple[Row, Sample]] = []
    for row in rows:
        if not isinstance(row.data, Mapping):
            rule, way_out = "is not an object", "write one object per sample"
            faults.fault(row.file, row.line, "", row.data, rule, way_out)
            continue
        line = row.data.get(None, row.line)
        reader = _Structured(row.file, line, faults)
        data = {k: _unpacked(v) if k in _STRUCTURED else v for k, v in row.data.items()}
        cells = {k: v for k, v in data.items() if k not in _STRUCTURED}
        _known_keys(cells, reader)
        missing = _requires(cells)
        clean = flattener.add(SAMPLES, Row(row.file, line, cells))
        sample = _sample(clean, data, reader, missing, timezone)
        for passage in {*sample.grades, *(i for s in sample.evidence_sets for i in s)}:
            flattener.add(JUDGMENTS, Row(row.file, line, {"passage": passage}))
        read.append((row, sample))
    check_table(table, faults)
    check_unique(table, "query_id", faults)
    check_table(judgments, faults)
    if chunk_ids is not None:
        check_known(judgments, "passage", chunk_ids, "passage", "the snapshot", faults)
    _warn_of_generated(table, faults)
    return read


def _unpacked(value: Any) -> Any:
    """A cell of a table holds a list or an object as the text of it, or nothing."""
    if value == "":
        return None
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        return value  # told as what it is: no object


def _known_keys(cells: dict[str, Any], reader: "_Structured") -> None:
    known = (*SAMPLES.by_name, *_STRUCTURED)
    for key in [key for key in cells if key is not None and key not in known]:
        del cells[key]
        reader.fault(key, None, "is no column of samples", nearest(str(key), known))


def _requires(cells: dict[str, Any]) -> str:
    """Read `requires_city` as: ask, for the city."""
    value = cells.get("answerability")
    match = _REQUIRES.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return ""
    cells["answerability"] = "ask"
    return match.group(1)


def _sample(
    clean: Mapping[str, Any],
    data: Mapping[str, Any],
    reader: "_Structured",
    missing: str,
    timezone: str,
) -> Sample:
    answerability = clean.get("answerability", "answerable")
    expected = clean.get("expected_behavior", "")
    named = expected in BEHAVIOURS
    times = {
        name: parse_instant(clean[name], timezone, Side.START)
        for name in ("as_of", "known_at")
        if clean.get(name) is not None
    }
    return Sample(
        query_id=clean.get("query_id", ""),
        question=clean.get("question", ""),
        task_type=clean.get("task_type", ""),
        as_of=times.get("as_of"),
        known_at=times.get("known_at"),
        principal_id=clean.get("principal"),
        snapshot=clean.get("corpus_snapshot", ""),
        grades=reader.grades(data.get("relevant_passages")),
        evidence_sets=reader.sets(data.get("required_evidence_sets")),
        tiers=reader.tiers(data.get("evidence_tiers")),
        facts=reader.texts("reference_facts", data.get("reference_facts")),
        reference_answer=clean.get("reference_answer", ""),
        answerability=answerability,
        missing_condition=clean.get("missing_condition", "") or missing,
        behaviour=expected if named else _BEHAVIOUR_OF.get(answerability, "answer"),
        behaviour_note="" if named else expected,
        accepted_refusals=reader.texts("accepted_refusals", data.get("accepted_refusals")),
        strata=reader.words("strata", data.get("strata")),
        user_context=reader.words("user_context", data.get("user_context")),
        labelling=reader.words("labelling", data.get("labelling")),
        origin=clean.get("origin", ""),
        split=clean.get("split", ""),
    )


def _warn_of_generated(table: Table, faults: Collector) -> None:
    origins = [origin for origin in table.columns["origin"] if origin is not None]
    if len(table) and len(origins) == len(table) and set(origins) == {"generated"}:
        rule = "every sample is generated: wording and answers lean on the corpus"
        faults.warn(table.files[0], 0, "origin", None, rule, "add real or expert questions")


@dataclass(frozen=True, slots=True)
class _Structured:
    """Reads the values of one sample that are lists or mappings; faults go to the collector."""

    file: str
    line: int
    faults: Collector

    def fault(self, column: str, value: Any, rule: str, way_out: str) -> None:
        self.faults.fault(self.file, self.line, column, value, rule, way_out)

    def mapping(self, column: str, value: Any) -> dict[str, Any]:
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self.fault(column, value, "is not an object", 'write {"id": value}')
            return {}
        return {nfc(key): item for key, item in value.items() if key is not None}

    def grades(self, value: Any) -> dict[str, int]:
        grades: dict[str, int] = {}
        for passage, grade in self.mapping("relevant_passages", value).items():
            number = int(grade) if isinstance(grade, str) and grade in "0123" and grade else grade
            if type(number) is int and 0 <= number <= HIGHEST_GRADE:
                grades[passage] = number
            else:
                rule = f"the grade is not a whole number from 0 to {HIGHEST_GRADE}"
                self.fault(f"relevant_passages.{passage}", grade, rule, "write 0, 1, 2 or 3")
        return grades

    def tiers(self, value: Any) -> dict[str, str]:
        tiers = self.mapping("evidence_tiers", value)
        for passage, tier in tiers.items():
            if tier not in TIERS:
                way_out = nearest(str(tier), TIERS)
                self.fault(f"evidence_tiers.{passage}", tier, "is no tier of evidence", way_out)
        return tiers

    def sets(self, value: Any) -> tuple[frozenset[str], ...]:
        column = "required_evidence_sets"
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, list) for item in value):
            rule = "is not a list of lists"
            self.fault(
                column, value, rule, 'write one list per sufficient set: [["a"], ["b", "c"]]'
            )
            return ()
        sets: list[frozenset[str]] = []
        for n, item in enumerate(value):
            if not item:
                rule = "the set is empty, so nothing would suffice"
                self.fault(f"{column}[{n}]", None, rule, "take it out, or name its passages")
            try:
                sets.append(frozenset(read_id(passage) for passage in item))
            except CellError as error:
                self.fault(f"{column}[{n}]", item, error.rule, error.way_out)
        return tuple(sets)

    def texts(self, column: str, value: Any) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.fault(column, value, "is not a list of texts", "write a list, in quotes")
            return ()
        return tuple(value)

    def words(self, column: str, value: Any) -> dict[str, str]:
        words = self.mapping(column, value)
        for key, item in words.items():
            if not isinstance(item, str):
                self.fault(f"{column}.{key}", item, "is not text", "write it in quotes")
        return words
