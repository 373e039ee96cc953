"""What does a plan come to before the target is asked anything: world, cases, detector, digests?"""

import fnmatch
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.metadata import version
from inspect import signature
from pathlib import Path

from rageval_kit.archive.canonical import fingerprint, plain
from rageval_kit.build.planning import Plan
from rageval_kit.detect import Detector
from rageval_kit.detect.verbatim import Verbatim
from rageval_kit.execute.others import Others
from rageval_kit.generate.cells import AUDIT, EXACT, OPEN_THEN, OTHER_WORLD, VIA, door
from rageval_kit.generate.family import Family, nearest, of_size
from rageval_kit.generate.planting import plant
from rageval_kit.generate.scene import Scene
from rageval_kit.generate.shelf import load, rests_on, suite_hash
from rageval_kit.generate.suite import FamilyCases, compile_family
from rageval_kit.generate.words import common_in
from rageval_kit.records.cases import Case
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.target import (
    Branches,
    Counts,
    Delegates,
    Exact,
    Grain,
    HasDoors,
    NamesSinks,
    Power,
    Resolves,
    ShowsSinks,
    Target,
)
from rageval_kit.records.verdicts import May, Severity
from rageval_kit.records.world import World
from rageval_kit.resources import code_digest, tree
from rageval_kit.run.payloads import with_payloads
from rageval_kit.run.questions import Questions, read_questions
from rageval_kit.run.quoted import held_in
from rageval_kit.run.reference import read_world as read_rights
from rageval_kit.schema import SuiteSpec
from rageval_kit.stats.choice import facts_needed

ROOT_DIGEST = re.compile(r"[0-9a-f]{64}")
USUAL_SIZE = 24
TEXTS_KEPT = 32768


@dataclass(frozen=True)
class Prepared:
    """Everything that is settled before the first call, and what it is named by."""

    plan: Plan
    scene: Scene
    original: World
    families: tuple[Family, ...]
    made: tuple[FamilyCases, ...]
    cases: tuple[Case, ...]
    variants: Mapping[str, Family]
    detector: Detector | None
    required: frozenset[str]
    suite_hash: str
    snapshot_digest: str
    directory_digest: str
    fingerprint: str
    questions: Questions | None = None
    decided_by: str = ""  # another engine than the directory, whose decisions are the reference

    @property
    def world(self) -> World:
        return self.scene.world

    @cached_property
    def others(self) -> Others:
        """The worlds that counterfactual cases enter; to be closed with the target."""
        return Others(self.plan.target, self.world)

    @cached_property
    def canary_finder(self) -> Callable[[str, str], Iterable[str]] | None:
        """A function from (text, query) to the ids whose canary the text carries.

        Texts recur, in other blocks too: a passage is read once however often it is shown.
        """
        if self.detector is None:
            return None
        detector, ids = self.detector, _ids_at_grain(self.scene)

        @lru_cache(maxsize=TEXTS_KEPT)
        def found(text: str) -> tuple[str, ...]:
            return tuple(match.token for match in detector.find(text))

        def in_text(text: str, query: str) -> Iterable[str]:
            tokens = found(text)
            if not tokens:
                return ()
            echo = found(query)
            return [ids[token] for token in tokens if token not in echo]

        return in_text

    @cached_property
    def verbatim_finder(self) -> Callable[[str, str, May], Iterable[frozenset[str]]]:
        """From a text, what the case says itself and who may be quoted to who is all the same."""
        return Verbatim(held_in(self.scene)).find


def prepare(plan: Plan) -> Prepared:
    """Load, plant, find pairs, write scripts; nothing is sent to the target yet."""
    original, snapshot, directory, decided_by = read_world(plan)
    _check_previous(plan.spec.archive.previous)
    folder = tree("suites") / "families"
    specs = plan.spec.suites
    chosen = {name: _select(folder, name, spec) for name, spec in specs.items()}
    ids = list(dict.fromkeys(family_id for some in chosen.values() for family_id in some))
    questions = read_questions(plan, original)
    if not ids and questions is None:
        way_out = "add one, for example +suite=acl_negative, or questions: samples.path=…"
        raise InputError.one("suites", "no suite was chosen, and no samples", way_out=way_out)
    families = with_payloads(load(folder, ids), plan.spec.payloads)
    sizes = _sizes(families, specs, chosen)
    families = [of_size(family, sizes[family.id]) for family in families]
    scene = _scene(plan, original, families)
    made = tuple(compile_family(scene, family, sizes[family.id]) for family in families)
    hashed = suite_hash(folder, ids, rests_on(families))
    return Prepared(
        plan=plan,
        scene=scene,
        original=original,
        families=tuple(families),
        made=made,
        cases=tuple(case for one in made for case in one.cases),
        variants={case_id: v for one in made for case_id, v in one.variants.items()},
        detector=Detector(scene.canaries) if scene.canaries else None,
        required=_required(families, specs.values()),
        suite_hash=hashed,
        snapshot_digest=snapshot,
        directory_digest=directory,
        fingerprint=_fingerprint(plan, hashed, snapshot, directory, sizes, questions),
        questions=questions,
        decided_by=decided_by,
    )


def _check_previous(digest: str | None) -> None:
    if digest is not None and not ROOT_DIGEST.fullmatch(digest):
        raise InputError.one(
            "archive.previous",
            "is not a root digest",
            digest,
            "give the 64 hex digits that the earlier run printed",
        )


def _scene(plan: Plan, original: World, families: Sequence[Family]) -> Scene:
    """The world as the target will hold it: with what the kit plants, where it may."""
    spec, target = plan.spec, plan.target
    world, canaries = original, {}
    if families and Power.PLANT in target.powers:
        planted = plant(world, families, spec.seed)
        world, canaries, common = planted.world, dict(planted.canaries), planted.common
    else:
        common = common_in(world.documents.values(), spec.seed)
    return Scene(
        world,
        target.grain,
        target.powers,
        target.taps,
        spec.seed,
        _levels(spec.suites),
        canaries,
        k=spec.k,
        as_of=spec.as_of,
        known_at=spec.known_at,
        own=original,
        common=common,
        abilities=abilities_of(target),
    )


def _levels(suites: Mapping[str, SuiteSpec]) -> Mapping[str, float]:
    """The service levels of the run; of two that differ, the laxer would hide the other's leaks."""
    levels: dict[str, float] = {}
    faults = []
    for name, suite in suites.items():
        for level, seconds in plain(suite.service_levels_s).items():
            if levels.setdefault(level, seconds) != seconds:
                where = f"suites.{name}.service_levels_s.{level}"
                problem = "differs from that of another suite of this run"
                way_out = f"{levels[level]:g} is the other; set both alike, or run them apart"
                faults.append(Fault(where, problem, f"{seconds:g}", way_out))
    if faults:
        raise InputError(faults)
    return levels


def _sizes(
    families: Sequence[Family],
    suites: Mapping[str, SuiteSpec],
    chosen: Mapping[str, Sequence[str]],
) -> Mapping[str, int]:
    """About how many cases each family makes: as many as the suite wants that wants most."""
    wanted = {
        family.id: max(
            (family.detects and suites[name].size.facts)
            or suites[name].size.cases
            or family.size
            or _usual(family)
            for name, ids in chosen.items()
            if family.id in ids
        )
        for family in families
    }
    most = {family.id: family.at_most for family in families if family.at_most}
    return {one: min(n, most.get(one, n)) for one, n in wanted.items()}


def _usual(family: Family) -> int:
    """As many as show the leaked share that the family is to show, where it says one."""
    if family.detects is None:
        return USUAL_SIZE
    return facts_needed(options_of(family), *family.detects)


def options_of(family: Family) -> int:
    """Between how many answers a family of forced choice lets choose."""
    return next(int(word.args["options"]) for word in family.checks if "options" in word.args)


def read_world(plan: Plan) -> tuple[World, str, str, str]:
    """The world as its files say it, the digests of snapshot and rights, and who decided them."""
    if not plan.snapshot.is_dir():
        raise InputError.one(
            "corpus", "is not a snapshot folder", str(plan.snapshot), "see rageval-kit snapshot"
        )
    world, snapshot, directory, decided_by = read_rights(plan)
    if plan.spec.now is not None:
        world = replace(world, clock=plan.spec.now)
    return world, snapshot, directory, decided_by


def _select(folder: Path, name: str, spec: SuiteSpec) -> list[str]:
    there = sorted(path.stem for path in folder.glob("*.yaml"))
    found: list[str] = []
    faults = []
    patterns = [("ids", one) for one in spec.families.ids]
    patterns += [("exclude", one) for one in spec.families.exclude]
    for key, pattern in patterns:
        hits = fnmatch.filter(there, pattern)
        if not hits:
            faults.append(
                Fault(
                    f"suites.{name}.families.{key}",
                    "matches no family",
                    pattern,
                    nearest(pattern, set(there)),
                )
            )
        found += hits if key == "ids" else []
    if faults:
        raise InputError(faults)
    families = load(folder, dict.fromkeys(found))
    kept = [
        family.id
        for family in families
        if (family.is_code or str(family.severity) in spec.families.severities)
        and not any(fnmatch.fnmatchcase(family.id, out) for out in spec.families.exclude)
    ]
    if not kept:
        raise InputError.one(
            f"suites.{name}.families",
            "no family is left",
            ", ".join(spec.families.severities),
            f"severities are {', '.join(Severity)}",
        )
    return kept


def abilities_of(target: Target) -> frozenset[str]:
    """What can be done beside asking, by the steps of a script that do it."""
    can = {
        "open": isinstance(target, Resolves),
        OPEN_THEN: isinstance(target, Resolves) and "as_of" in signature(target.resolve).parameters,
        "count": isinstance(target, Counts),
        "read": isinstance(target, ShowsSinks),
    }
    can |= {
        OTHER_WORLD: isinstance(target, Branches),
        EXACT: isinstance(target, Exact) and target.scans,
        VIA: isinstance(target, Delegates) and target.delegates,
        AUDIT: isinstance(target, NamesSinks) and AUDIT in target.sinks,
    }
    doors = {door(name) for name in target.doors} if isinstance(target, HasDoors) else set[str]()
    return frozenset({step for step, able in can.items() if able} | doors)


def _required(families: Sequence[Family], specs: Iterable[SuiteSpec]) -> frozenset[str]:
    """Families that need no tap beyond those the suites require must be executed."""
    taps = {str(tap) for spec in specs for tap in spec.required_taps}
    return frozenset(
        family.id
        for family in families
        if not family.is_code and {str(s) for s in family.must} <= taps
    )


def _fingerprint(
    plan: Plan,
    hashed: str,
    snapshot: str,
    directory: str,
    sizes: Mapping[str, int],
    questions: Questions | None,
) -> str:
    spec = plain(plan.spec)
    sealed_for = spec["archive"]["recipients"]  # of a run gone on with, the same for all its blocks
    for key in ("archive", "report", "lang", "engine"):
        spec.pop(key, None)
    return fingerprint(
        {
            "suite": hashed,
            "snapshot": snapshot,
            "directory": directory,
            "samples": questions.digest if questions else None,
            "sizes": dict(sizes),
            "spec": spec,
            "block": plan.spec.engine.block,
            "repeats": plan.spec.engine.repeats,
            "target": dict(plan.target.describe()),
            "metrics": {name: getattr(m, "version", None) for name, m in plan.metrics.items()},
            "kit": version("rageval-kit"),
            "code": code_digest(),
            **({"recipients": sorted(sealed_for)} if sealed_for else {}),
        }
    )


def _ids_at_grain(scene: Scene) -> Mapping[str, str]:
    if scene.grain is Grain.CHUNK:
        return scene.canaries
    places = scene.places
    return {
        token: places[chunk_id].document.document_id
        if scene.grain is Grain.DOCUMENT
        else places[chunk_id].version.version_id
        for token, chunk_id in scene.canaries.items()
    }
