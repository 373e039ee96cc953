"""What do all cases of a family come to together, where no case alone can say it?

A word of `checks` that gives `counted(args)` is such a check: each case tells one thing, and the
share of the cases that told it must be at most `at_most`. The rule is a function of the rows alone,
and of what they told, not of what they came to: it says the same of rows it has judged already, so
that a resumed run, a replay and a proof agree.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rageval_kit.generate.family import Family, Word, word_module
from rageval_kit.records.cases import Case
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Finding, Outcome
from rageval_kit.run.rows import CaseRow
from rageval_kit.stats import upper_bound

ALPHA = 0.05


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
            again |= _share(word, grouped[family_id], again)
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
    return [word for word in family.checks if hasattr(word_module("checks", word.name), "counted")]


def _share(
    word: Word, rows: Sequence[CaseRow], before: Mapping[str, CaseRow]
) -> dict[str, CaseRow]:
    """Violated where the share is surely above the limit; too few to tell where it only seems so.

    Surely: by the exact one-sided interval of 95 %.
    """
    name = word_module("checks", word.name).counted(word.args)
    limit = float(word.args["at_most"])
    seen = [row for row in rows if name in row.told]
    hits = [row for row in seen if row.told[name]]
    if not seen or len(hits) / len(seen) <= limit:
        return {}
    least = 1 - upper_bound(len(seen) - len(hits), len(seen), ALPHA)
    said = (
        f"{name} in {len(hits)} of {len(seen)} cases, at least {least:.1%} by the exact interval, "
        f"at most {limit:.1%} allowed"
    )
    return {
        row.case_id: _as(before.get(row.case_id, row), word.name, said, sure=least > limit)
        for row in hits
    }


def _as(row: CaseRow, check: str, said: str, *, sure: bool) -> CaseRow:
    """One of the cases that the share counts; what it came to by itself and is graver stays."""
    if row.outcome not in (Outcome.HELD, Outcome.UNOBSERVED, Outcome.VIOLATED):
        return row
    if not sure:
        held = row.outcome is Outcome.HELD
        return (
            replace(row, outcome=Outcome.UNOBSERVED, reason=f"not_fired: {said}") if held else row
        )
    own = tuple(finding for finding in row.findings if finding.check != check)
    step = next((s.step for s in row.steps if s.role == "reader"), 0)
    finding = Finding(check, Stage.RETRIEVE, step, row.reader_id, row.document_id, evidence=said)
    return replace(
        row, outcome=Outcome.VIOLATED, reason=f"{check}: {said}", findings=(*own, finding)
    )
