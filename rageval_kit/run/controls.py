"""Was the suite itself able to fail: canaries sound, detectors awake, taps speaking, repeatable?"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from rageval_kit.detect import Detector, ladder_self_test
from rageval_kit.detect.ladder import Finder
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.words import MARK
from rageval_kit.records.cases import Case
from rageval_kit.records.decisions import ControlResult, CoverageCell, ProofSummary
from rageval_kit.run.family_checks import judged_together
from rageval_kit.run.judge import queries_in
from rageval_kit.run.prepare import Prepared
from rageval_kit.run.repeats import CHANCE, SPOKEN, by_chance, run_block, varies
from rageval_kit.run.rows import CaseRow, show_the_same
from rageval_kit.run.same_world import same_world_twice


def controls(
    prepared: Prepared,
    rows: Sequence[CaseRow],
    cells: Sequence[CoverageCell],
    proof: ProofSummary,
    key: bytes,
) -> list[ControlResult]:
    """The kit's own checks that the suite asks for, each with its n."""
    asked = {family.id: family.title for family in prepared.families}
    made: Mapping[str, Callable[[], ControlResult]] = {
        "CTL-01": lambda: _twins(rows),
        "CTL-02": lambda: canaries_sound(
            prepared.scene, prepared.detector, queries_of(prepared.cases)
        ),
        "CTL-03": lambda: same_world_twice(prepared),
        "CTL-04": lambda: detectors_awake(Detector),
        "CTL-05": lambda: _faults(proof),
        "CTL-06": lambda: taps_spoke(prepared, rows),
        "CTL-07": lambda: repeats(prepared, rows, key),
        "CTL-08": lambda: _coverage(cells),
    }
    return [
        replace(make(), title=asked[control]) for control, make in made.items() if control in asked
    ]


def _twins(rows: Sequence[CaseRow]) -> ControlResult:
    tried = [row for row in rows if row.twin_ok is not None and row.outcome != "violated"]
    alive = sum(row.twin_ok is True for row in tried)
    met = alive == len(tried) if tried else None
    # Twins that failed make their cases unobserved, which completeness counts; no second gate here.
    return ControlResult("CTL-01", {}, met, alive, len(tried), is_gated=False)


def canaries_sound(
    scene: Scene, detector: Detector | None, queries: Collection[str]
) -> ControlResult:
    """Each canary in one passage, in no title and in no query; one of a title in that title alone.

    A title's canary is judged by a passage: by one of its version that is read as the title is.
    """
    if detector is None:
        return ControlResult("CTL-02", {}, None, 0, 0, "the target cannot be planted in")
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for version_id, title in {
        place.version.version_id: place.version.title for place in scene.places.values()
    }.items():
        for match in detector.find(title):
            if _is_of_title(scene, match.token, version_id):
                found[match.token] += 1
            else:
                wrong.append(f"a canary stands in the title of {version_id}")
    for place in scene.places.values():
        for mark in MARK.findall(place.chunk.text):
            found[mark.strip()[5:-1]] += 1
    wrong += [
        # named by its passage: the token itself would stand in the report, and thereby leak
        f"the canary of {chunk_id} stands in {found[token]} passages"
        for token, chunk_id in scene.canaries.items()
        if found[token] != 1
    ]
    wrong += [
        f"a query carries a canary ({len(query)} characters)"
        for query in queries
        if detector.find(query)
    ]
    detail = wrong[0] if wrong else f"{len(queries)} queries carry none"
    total = len(scene.canaries)
    return ControlResult("CTL-02", {}, not wrong, total - len(wrong), total, detail)


def _is_of_title(scene: Scene, token: str, version_id: str) -> bool:
    """Whether whoever may read the title, and nobody else, may read what the canary marks."""
    place = scene.places.get(scene.canaries.get(token, ""))
    return (
        place is not None
        and place.version.version_id == version_id
        and place.chunk.label is None
        and not place.chunk.compartments
    )


def queries_of(cases: Iterable[Case]) -> set[str]:
    return {query for case in cases for query in queries_in(case).values()}


def detectors_awake(make: Callable[[Mapping[str, str]], Finder]) -> ControlResult:
    """Every disguise found, no benign text taken for a canary."""
    report = ladder_self_test(make)
    passed = sum(rung.found == rung.n for rung in report.results)
    detail = f"{report.benign_found} false alarms in {report.benign_n} benign texts"
    return ControlResult("CTL-04", {}, report.met, passed, len(report.results), detail)


def _faults(proof: ProofSummary) -> ControlResult:
    if not proof.suite_hash:
        return ControlResult("CTL-05", {}, None, 0, 0, "there is no proof of exactly this suite")
    tried = proof.faults_total > 0 and proof.clean_seeds > 0
    killed, silent = proof.faults_killed, proof.clean_silent
    met = tried and killed == proof.faults_total and silent == proof.clean_seeds
    each = f", {proof.cases} cases each" if proof.cases else ""  # older proofs do not say it
    detail = f"{silent} of {proof.clean_seeds} clean seeds silent{each}, {proof.date}"
    return ControlResult("CTL-05", {}, met, proof.faults_killed, proof.faults_total, detail)


def taps_spoke(prepared: Prepared, rows: Sequence[CaseRow]) -> ControlResult:
    """Every tap that the suites require spoke at least once."""
    required = {
        str(tap) for spec in prepared.plan.spec.suites.values() for tap in spec.required_taps
    }
    spoke = {stage for row in rows for stage in row.stages_seen}
    silent = sorted(required - spoke)
    detail = f"silent: {', '.join(silent)}" if silent else ""
    met = not silent if required else None
    return ControlResult("CTL-06", {}, met, len(required) - len(silent), len(required), detail)


def repeats(prepared: Prepared, rows: Sequence[CaseRow], key: bytes) -> ControlResult:
    """Run the first cases again: the same verdicts and the same ids at every tap.

    Of a target that answers in other words each time, the ids before the answer must be the same,
    and the verdicts must differ no more than chance brings.
    """
    from rageval_kit.run.evaluate import blocks

    first = next(blocks(prepared.cases, prepared.plan.spec.engine.block), [])
    if not first:
        return ControlResult("CTL-07", {}, None, 0, 0, "no case was made")
    known = {row.case_id: row for row in rows}
    before = [known[case.case_id] for case in first]
    fresh = {row.case_id: row for row in run_block(prepared, first, key)[0]}
    mixed = judged_together(prepared.families, [fresh.get(row.case_id, row) for row in rows])
    again = [row for row in mixed if row.case_id in fresh]
    pairs = list(zip(before, again, strict=True))
    if varies(prepared.plan.target, prepared.plan.spec.engine.repeats):
        shown = sum(show_the_same(one.steps, now.steps, SPOKEN) for one, now in pairs)
        chance = by_chance([row.outcome for row in before], [row.outcome for row in again])
        moved = sum(one.outcome != now.outcome for one, now in pairs)
        detail = f"{moved} verdicts came out otherwise, by chance with p = {chance:.3f}"
        met = shown == len(first) and chance >= CHANCE
        return ControlResult("CTL-07", {}, met, shown, len(first), detail if moved else "")
    same = sum(o.outcome == n.outcome and show_the_same(o.steps, n.steps) for o, n in pairs)
    detail = "" if same == len(first) else "the target does not repeat itself"
    return ControlResult("CTL-07", {}, same == len(first), same, len(first), detail)


def _coverage(cells: Sequence[CoverageCell]) -> ControlResult:
    there = [cell for cell in cells if "no attributes" not in cell.not_applicable]
    full = [cell for cell in there if cell.denied_alone and cell.twin_allowed]
    missing = ", ".join(cell.condition for cell in there if cell not in full)
    detail = f"missing: {missing}" if missing else f"{len(cells) - len(there)} not in this world"
    met = None if not there else not missing
    return ControlResult("CTL-08", {}, met, len(full), len(there), detail)
