"""What can a run show before it is started: how sure, of how small a leak, and in what time?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from rageval_kit.execute.block import Runner
from rageval_kit.generate.suite import FamilyCases
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.verdicts import CountsAs
from rageval_kit.run.prepare import Prepared, options_of
from rageval_kit.stats import upper_bound
from rageval_kit.stats.choice import facts_needed, smallest_share

SHARES = (0.3, 0.1, 0.05)
PROBED = 3  # cases of each family that a probe asks


@dataclass(frozen=True, slots=True)
class ChoicePlan:
    """Of questions with options: the leaked share that `facts` show with `power`; None: none.

    `needed`: how many facts each of SHARES takes.
    """

    facts: int
    options: int
    power: float
    share: float | None
    needed: tuple[tuple[float, int], ...]


@dataclass(frozen=True, slots=True)
class FamilyPlan:
    """`bound`: where nothing leaks, at most this share of pairs does. None: `exhaustive`, or none.

    `seconds`: what its cases take, where that was measured.
    """

    family: str
    cases: int
    pairs: int
    exhaustive: bool = False
    bound: float | None = None
    choice: ChoicePlan | None = None
    not_applicable: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class RunPlan:
    """`needed`: distinct pairs, none leaking, for `leak_rate` at `confidence`.

    `needed_each`: of every family, where all are to be claimed at once (Bonferroni). `pairs`:
    distinct ones of all families of security whose cases are judged one by one, and their `bound`.
    `timed`: measured, stated, or not at all.
    """

    leak_rate: float
    confidence: float
    needed: int
    needed_each: int
    cases: int
    pairs: int
    bound: float | None
    families: tuple[FamilyPlan, ...]
    timed: str = ""
    probed: int = 0
    seconds: float | None = None


def run_plan(
    prepared: Prepared,
    *,
    leak_rate: float = 0.003,
    confidence: float = 0.95,
    cases_per_s: float | None = None,
    probe: bool = False,
) -> RunPlan:
    """Nothing is sent to the target unless `probe`: then a few cases of each family, and timed."""
    _check(leak_rate, confidence, cases_per_s)
    alpha = 1 - confidence
    made = [one for one in prepared.made if not one.family.is_code]
    of_security = [one for one in made if one.family.counts_as is CountsAs.SECURITY and one.cases]
    taken = _probe(prepared, made) if probe else ((None,) * len(made), 0.0, 0)
    families = tuple(
        _family(one, alpha, seconds) for one, seconds in zip(made, taken[0], strict=True)
    )
    # A hidden fact that is answered rightly proves nothing by itself, and so bounds nothing either.
    singly = [one for one in of_security if one.family.detects is None]
    pairs = len({pair for one in singly for pair in _pairs(one)})
    n, seconds, timed = len(prepared.cases), None, ""
    if probe:
        seconds = taken[1] + sum(family.seconds or 0.0 for family in families)
        timed = "measured"
    elif cases_per_s:
        seconds, timed = n / cases_per_s, "stated"
    return RunPlan(
        leak_rate=leak_rate,
        confidence=confidence,
        needed=pairs_needed(leak_rate, alpha),
        needed_each=pairs_needed(leak_rate, alpha / max(1, len(singly))),
        cases=n,
        pairs=pairs,
        bound=upper_bound(0, pairs, alpha) if pairs else None,
        families=families,
        timed=timed,
        probed=taken[2],
        seconds=seconds,
    )


def pairs_needed(leak_rate: float, alpha: float) -> int:
    """As many distinct pairs without a leak as a larger rate would show with less than alpha."""
    n = max(1, math.ceil(math.log(alpha) / math.log1p(-leak_rate)) - 1)
    while upper_bound(0, n, alpha) > leak_rate:
        n += 1
    return n


def _pairs(made: FamilyCases) -> set[tuple[str, str]]:
    return {(c.coordinates.reader_id, c.coordinates.document_id) for c in made.cases}


def _family(made: FamilyCases, alpha: float, seconds: float | None) -> FamilyPlan:
    pairs = len(_pairs(made))
    exhaustive = made.all_pairs and pairs >= made.pairs_available > 0
    choice = _choice(made)
    return FamilyPlan(
        family=made.family.id,
        cases=len(made.cases),
        pairs=pairs,
        exhaustive=exhaustive,
        # Of questions with options no pair is clean by itself: their own figures stand beside.
        bound=None if exhaustive or choice or not pairs else upper_bound(0, pairs, alpha),
        choice=choice,
        not_applicable=made.not_applicable,
        seconds=seconds,
    )


def _choice(made: FamilyCases) -> ChoicePlan | None:
    if made.family.detects is None:
        return None
    options, (_, power) = options_of(made.family), made.family.detects
    facts = len(made.cases)
    return ChoicePlan(
        facts,
        options,
        power,
        smallest_share(facts, options, power),
        tuple((share, facts_needed(options, share, power)) for share in SHARES),
    )


def _probe(
    prepared: Prepared, made: Sequence[FamilyCases]
) -> tuple[tuple[float | None, ...], float, int]:
    """Seconds that each family's cases would take, those of the connection, and cases asked."""
    target = prepared.plan.target
    started = perf_counter()
    target.connect(prepared.world)
    connected = perf_counter() - started
    taken: list[float | None] = []
    probed = 0
    try:
        for one in made:
            step = max(1, len(one.cases) // PROBED)
            scripts = [case.script for case in one.cases[::step][:PROBED]]
            if not scripts:
                taken.append(None)
                continue
            started = perf_counter()
            Runner(target, 0, prepared.others).run(scripts)
            each = (perf_counter() - started) / len(scripts)
            taken.append(each * len(one.cases))
            probed += len(scripts)
    finally:
        prepared.others.close()
        target.close()
    return tuple(taken), connected, probed


def _check(leak_rate: float, confidence: float, cases_per_s: float | None) -> None:
    faults = [
        Fault(name, "must lie between 0 and 1", repr(value), way_out)
        for name, value, way_out in (
            ("leak-rate", leak_rate, "0.003 is three in a thousand"),
            ("confidence", confidence, "0.95 is usual"),
        )
        if not 0 < value < 1
    ]
    if cases_per_s is not None and not (math.isfinite(cases_per_s) and cases_per_s > 0):
        faults.append(Fault("cases-per-s", "must be above 0", repr(cases_per_s)))
    if faults:
        raise InputError(faults)
