"""What do all cases of a family come to together, where no case alone can say it?

A word of `checks` that gives `together(args, counts, exact)` is such a check: each case tells one
thing or several, and of how many cases told them the word itself says what that comes to. The rule
is a function of the rows alone, and of what they told, not of what they came to: it says the same
of rows it has judged already, so that a resumed run, a replay and a proof agree.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rageval_kit.gates.outcome import NOT_FIRED, TWIN_FAILED
from rageval_kit.generate.family import Family, Word, word_module
from rageval_kit.records.cases import Case
from rageval_kit.records.verdicts import Exact, Finding, Outcome, Together
from rageval_kit.run.rows import CaseRow
from rageval_kit.stats import upper_bound
from rageval_kit.stats.choice import at_least


def judged_together(families: Iterable[Family], rows: Sequence[CaseRow]) -> list[CaseRow]:
    """The rows with the outcome that their family gives them; others are as they were."""
    checks = {family.id: words for family in families if (words := family_words(family))}
    if not checks:
        return list(rows)
    grouped: dict[str, list[CaseRow]] = defaultdict(list)
    for row in rows:
        grouped[row.family].append(row)
    again: dict[str, CaseRow] = {}
    for family_id, words in checks.items():
        for word in words:
            again |= _judged(word, grouped[family_id], again)
    return [again.get(row.case_id, row) for row in rows]


def with_their_families(
    families: Iterable[Family], cases: Iterable[Case], wanted: Collection[str]
) -> set[str]:
    """The cases wanted, and beside them all others of a family that is judged as one."""
    as_one = {family.id for family in families if family_words(family)}
    of = {case.case_id: case.coordinates.family for case in cases}
    touched = as_one & {of[case_id] for case_id in wanted if case_id in of}
    return {*wanted, *(case_id for case_id, family_id in of.items() if family_id in touched)}


def family_words(family: Family) -> list[Word]:
    """Those of a family's checks by which its cases are judged together."""
    if family.is_code:
        return []
    return [word for word in family.checks if hasattr(word_module("checks", word.name), "together")]


def counts_of(rows: Sequence[CaseRow]) -> dict[str, tuple[int, int]]:
    """How often each thing was told, of the cases that could tell it."""
    names = dict.fromkeys(name for row in rows for name in row.told)
    return {
        name: (
            sum(row.told.get(name, False) for row in rows),
            sum(name in row.told for row in rows),
        )
        for name in names
    }


def _judged(
    word: Word, rows: Sequence[CaseRow], before: Mapping[str, CaseRow]
) -> dict[str, CaseRow]:
    """The rows that the word's judgement concerns, as they stand after it."""
    exact = Exact(upper_bound, at_least)
    made: Together | None = word_module("checks", word.name).together(
        word.args, counts_of(rows), exact
    )
    if made is None:
        return {}
    return {
        row.case_id: _as(before.get(row.case_id, row), word.name, made)
        for row in rows
        if not made.of or row.told.get(made.of, False)
    }


def _as(row: CaseRow, check: str, made: Together) -> CaseRow:
    """One of the cases that are meant; what it came to by itself and is graver stays."""
    if row.outcome not in (Outcome.HELD, Outcome.UNOBSERVED, Outcome.VIOLATED):
        return row
    if made.outcome is not Outcome.VIOLATED:
        reason = f"{made.reason or NOT_FIRED}: {made.said}"
        twin_ok = False if made.reason == TWIN_FAILED else row.twin_ok
        held = row.outcome is Outcome.HELD
        return replace(row, outcome=made.outcome, reason=reason, twin_ok=twin_ok) if held else row
    own = tuple(finding for finding in row.findings if finding.check != check)
    finding = Finding(
        check, made.stage, _step(row), row.reader_id, row.document_id, evidence=made.said
    )
    return replace(
        row,
        outcome=Outcome.VIOLATED,
        reason=f"{check}: {made.said}",
        findings=(*own, finding),
    )


def _step(row: CaseRow) -> int:
    """The reader's own question: the first, or where a twin repeats it the last before that."""
    roles = [step.role for step in row.steps]
    before = roles[: roles.index("twin")] if "twin" in roles else roles
    own = [s.step for s, role in zip(row.steps, before, strict=False) if role == "reader"]
    return next(iter(own[-1:] if "twin" in roles else own), 0)
