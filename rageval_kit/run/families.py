"""What did each family come to: counts, distinct pairs, bounds, stages, why cases stayed open?"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rageval_kit.generate.family import Family
from rageval_kit.generate.suite import FamilyCases
from rageval_kit.records.decisions import ChoiceResult, CoverageCell, FamilyResult, StageCount
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import Outcome, Severity
from rageval_kit.report.standards import family_standards
from rageval_kit.run.choices import choice_result
from rageval_kit.run.family_checks import counts_of
from rageval_kit.run.rows import CaseRow
from rageval_kit.stats import upper_bound

DECIDED = (Outcome.HELD, Outcome.VIOLATED)
COVERAGE_FAMILY = "CTL-08"
REPEATS_VIOLATED = "repeats_violated"


def family_results(
    made: Sequence[FamilyCases], rows: Sequence[CaseRow], required: frozenset[str]
) -> list[FamilyResult]:
    """One result per family that makes cases, in the order of the suite."""
    by_family: Mapping[str, list[CaseRow]] = _grouped(rows)
    return [
        _result(one, by_family.get(one.family.id, []), one.family.id in required)
        for one in made
        if not one.family.is_code
    ]


def _grouped(rows: Iterable[CaseRow]) -> Mapping[str, list[CaseRow]]:
    grouped: dict[str, list[CaseRow]] = defaultdict(list)
    for row in rows:
        grouped[row.family].append(row)
    return grouped


def _result(made: FamilyCases, rows: Sequence[CaseRow], required: bool) -> FamilyResult:  # noqa: FBT001
    family = made.family
    outcomes = Counter(row.outcome for row in rows)
    decided = [row for row in rows if row.outcome in DECIDED]
    pairs = {(row.reader_id, row.document_id) for row in decided}
    leaked = {(r.reader_id, r.document_id) for r in decided if r.outcome is Outcome.VIOLATED}
    exhaustive = made.all_pairs and len(pairs) >= made.pairs_available > 0
    bounded = bool(pairs) and not leaked and not exhaustive
    absent = made.not_applicable
    told = _told(rows)
    choice = choice_result(family, len(made.cases), told)
    bound = choice.bound if choice else upper_bound(0, len(pairs)) if pairs else None
    return FamilyResult(
        family=family.id,
        title=family.title,
        severity=_severity(family, rows),
        counts_as=family.counts_as,
        planned=len(made.cases),
        held=outcomes[Outcome.HELD],
        violated=outcomes[Outcome.VIOLATED],
        unobserved=outcomes[Outcome.UNOBSERVED],
        failed=outcomes[Outcome.FAILED],
        lagged=sum(any(note.startswith("lag") for note in row.notes) for row in rows),
        pairs_tested=len(pairs),
        pairs_available=max(made.pairs_available, len(pairs)),
        pairs_leaked=len(leaked),
        exhaustive=exhaustive,
        upper_bound=bound if bounded else None,
        not_applicable=absent,
        # A family that this world or target cannot have is named, not demanded.
        required=required and not absent,
        stages=_stages(rows, exhaustive=exhaustive, said=choice),
        reasons=Counter(row.reason for row in rows if row.outcome not in DECIDED and row.reason),
        motive=family.motive,
        limits=family.limits,
        standards=family_standards(family.id),
        told=told,
        choice=choice,
        policy=tuple(f"{name}: {_value(value)}" for name, value in family.policy.items()),
    )


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _told(rows: Sequence[CaseRow]) -> Mapping[str, tuple[int, int]]:
    """How often each thing that decides nothing was seen, of the cases where it could be.

    Where cases ran several times, also how many of all those times they were violated.
    """
    times = Counter(outcome for row in rows for outcome in row.repeats)
    repeated = {REPEATS_VIOLATED: (times[Outcome.VIOLATED], times.total())} if times else {}
    return counts_of(rows) | repeated


def _severity(family: Family, rows: Sequence[CaseRow]) -> Severity:
    stages = [Stage(f.stage) for row in rows for f in row.findings]
    return family.severity_of(stages)


def _stages(
    rows: Sequence[CaseRow], *, exhaustive: bool, said: ChoiceResult | None
) -> tuple[StageCount, ...]:
    """Of what is `said` a single answer proves nothing: there the bound is that of all together."""
    spoke: Counter[str] = Counter()
    silent: Counter[str] = Counter()
    violated: Counter[str] = Counter()
    pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        if row.outcome not in DECIDED:  # what was not decided is clean nowhere
            silent.update({*row.stages_seen, *row.stages_silent})
            continue
        spoke.update(row.stages_seen)
        silent.update(row.stages_silent)
        violated.update({str(finding.stage) for finding in row.findings})
        for stage in row.stages_seen:
            pairs[stage].add((row.reader_id, row.document_id))
    names = {*spoke, *silent, *violated}
    counts = []
    for stage in (str(stage) for stage in Stage if str(stage) in names):
        n = len(pairs[stage])
        bounded = n > 0 and not violated[stage] and not exhaustive
        told = said if stage == Stage.ANSWER else None
        bound = (told.bound if told else upper_bound(0, n)) if bounded else None
        counts.append(StageCount(stage, spoke[stage], violated[stage], silent[stage], n, bound))
    return tuple(counts)


def coverage(made: Sequence[FamilyCases], rows: Sequence[CaseRow]) -> tuple[CoverageCell, ...]:
    """Which conditions of the access rule were tested alone, each with its living positive."""
    found = next((one for one in made if one.family.id == COVERAGE_FAMILY), None)
    if found is None:
        return ()
    cells = []
    for number in range(1, 15):
        condition = f"C{number}"
        own = [
            row
            for row in rows
            if row.family == COVERAGE_FAMILY
            and (row.variant[0][1] if row.variant else "") == condition
        ]
        decided = [row for row in own if row.outcome in DECIDED]
        cells.append(
            CoverageCell(
                condition,
                len(decided),
                sum(row.twin_ok is True for row in own),
                "" if own else found.nothing.get(condition, "no pair was made"),
            )
        )
    return tuple(cells)
