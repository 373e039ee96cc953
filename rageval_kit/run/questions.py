"""Which judged questions does a run ask, who asks each, and what could that reader be shown?"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np

from rageval_kit.access import Monitor
from rageval_kit.build.planning import Plan
from rageval_kit.build.shape import nearest
from rageval_kit.intake.report import Collector
from rageval_kit.intake.samples import Sample, check_samples, read_sample_rows
from rageval_kit.ranking.unjudged import measured
from rageval_kit.records.cases import Ask, Permitted, Script
from rageval_kit.records.conventions import Conventions
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.records.scores import JudgedRankings
from rageval_kit.records.target import Caller, Grain
from rageval_kit.records.world import World
from rageval_kit.run.labelling import check_dates

RELEVANT = 1
_ROLLED_UP_FROM: Mapping[Grain, Literal["passage", "version"]] = {
    Grain.CHUNK: "passage",
    Grain.VERSION: "version",
}
GRADE_OF_TIER = {"core": 3, "supporting": 2, "marginal": 1}


@dataclass(frozen=True, slots=True)
class Question:
    """One sample as it is asked, and its judgments that count.

    Among `grades` is what the reader may read and what the snapshot lacks (`dangling`); `denied`
    are relevant documents that it may not read: no system could return them.
    """

    sample: Sample
    script: Script
    reader_id: str
    grades: Mapping[str, int]
    denied: tuple[str, ...]
    dangling: tuple[str, ...]
    may_see: Permitted

    @property
    def query_id(self) -> str:
        return self.sample.query_id


@dataclass(frozen=True)
class Questions:
    """All of them, with the grain that the judgments name and the one that the target shows.

    `world` is the snapshot as it was read, without what the kit adds to it.
    """

    file: str
    digest: str
    grain: Grain
    shown: Grain
    depth: int
    conventions: Conventions
    all: tuple[Question, ...]
    world: World

    @cached_property
    def document_of(self) -> Mapping[str, str]:
        """Of every document, version and chunk of the snapshot the document."""
        found: dict[str, str] = {}
        for document in self.world.documents.values():
            found[document.document_id] = document.document_id
            for version in document.versions:
                found[version.version_id] = document.document_id
                found |= dict.fromkeys((c.chunk_id for c in version.chunks), document.document_id)
        return found


def read_questions(plan: Plan, world: World) -> Questions | None:
    """The samples of a plan against the world they are asked in; every fault at once.

    None: the plan names no samples.
    """
    spec = plan.spec.samples
    if spec.path is None:
        return None
    path = Path(spec.path).expanduser()
    shown = plan.target.grain
    grain = _grain(spec.grain, shown)
    collector = Collector()
    digest = _digest(path)
    pairs = check_samples(read_sample_rows(path, collector), collector, timezone=world.timezone)
    faults = [fault.fault for fault in collector.ordered()]
    if not pairs and not faults:
        faults.append(Fault(str(path), "holds no sample", "", "write one object per line"))
    if faults:
        raise InputError(faults)
    if _digest(path) != digest:
        raise InputError.one(str(path), "was changed while it was read", "", "run again")
    samples = [sample for _, sample in pairs]
    conventions = Conventions(
        ties="keep_rank",  # the order of a live list is the target's own word
        unjudged=spec.unjudged,
        no_relevant=spec.no_relevant,
        grain="document" if grain is Grain.DOCUMENT else "passage",
        rolled_up_from="none" if grain is shown else _ROLLED_UP_FROM[shown],
    )
    depth = spec.depth or plan.spec.k
    faults = [
        *_unfit(plan.metrics.values(), conventions),
        *check_dates(samples, world.timezone),
        *_too_late(samples, world.clock),
        *_readers(samples, spec.principal, world),
        *_dangling(samples, plan, world, grain),
    ]
    if faults:
        raise InputError(dict.fromkeys(faults))
    make = _Maker(plan, world, Monitor(world), grain, depth)
    made = tuple(make.question(number, sample) for number, sample in enumerate(samples, 1))
    return Questions(spec.path, digest, grain, shown, depth, conventions, made, world)


def _digest(path: Path) -> str:
    """Of the file as it is now; '' where it cannot be read, which its reader says better."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _grain(judged: str, shown: Grain) -> Grain:
    """The grain of the world's ids that the judgments name; a target must tell these apart."""
    if judged == "document":
        return Grain.DOCUMENT
    if judged == "claim":
        raise InputError.one(
            "samples.grain",
            "a search returns no claims",
            judged,
            "score claims from a file (rageval-kit score), or judge passages or documents",
        )
    if shown is not Grain.CHUNK:
        raise InputError.one(
            "samples.grain",
            f"judgments of passages need a target that names chunks; this one names {shown}s",
            judged,
            "judge documents (samples.grain=document), or have the target return chunk ids",
        )
    return Grain.CHUNK


def graded(sample: Sample) -> Mapping[str, int]:
    """The grades of a sample; where it has none, those that its tiers of evidence stand for."""
    return sample.grades or {item: GRADE_OF_TIER[tier] for item, tier in sample.tiers.items()}


def _unfit(metrics: Iterable[Any], conventions: Conventions) -> Iterator[Fault]:
    """What a measure would refuse when all is asked, it refuses of no question at all."""
    none = np.zeros(0, dtype=np.int64)
    nothing = JudgedRankings(
        n_queries=0,
        query=none,
        rank=none,
        grade=none,
        judged_query=none,
        judged_grade=none,
        returned=none,
        unjudged_query=none,
        unjudged_rank=none,
        conventions=conventions,
    )
    for metric in metrics:
        try:
            measured(metric, nothing)
        except InputError as error:
            yield from error.faults


def _readers(samples: Sequence[Sample], default: str | None, world: World) -> Iterator[Fault]:
    if default is not None and default not in world.principals:
        way_out = nearest(default, world.principals)
        yield Fault("samples.principal", "is not in the directory", default, way_out)
    for sample in samples:
        where = f"query {sample.query_id}"
        if sample.principal_id is None:
            if default is None:
                way_out = "give the sample its principal, or set samples.principal for all of them"
                yield Fault(where, "names no reader", "", way_out)
        elif sample.principal_id not in world.principals:
            way_out = nearest(sample.principal_id, world.principals)
            yield Fault(
                where, "its principal is not in the directory", sample.principal_id, way_out
            )


def _too_late(samples: Sequence[Sample], clock: datetime) -> Iterator[Fault]:
    """Nothing can be known later than now."""
    for sample in samples:
        if sample.known_at is not None and sample.known_at > clock:
            where, met = f"query {sample.query_id}: known_at", sample.known_at.isoformat()
            way_out = f"give a time up to the clock of the snapshot, {clock.isoformat()}"
            yield Fault(where, "is later than now", met, way_out)


def _dangling(samples: Sequence[Sample], plan: Plan, world: World, grain: Grain) -> Iterator[Fault]:
    if plan.spec.samples.allow_dangling:
        return
    known = _known(world, grain)
    word = "passage" if grain is Grain.CHUNK else "document"
    way_out = "mend it, or have it counted: samples.allow_dangling=true"
    for sample in samples:
        for item in graded(sample):
            if item not in known:
                problem = f"judged {word} not in snapshot: {item} (query {sample.query_id})"
                yield Fault("samples", problem, "", way_out)


def _known(world: World, grain: Grain) -> frozenset[str]:
    if grain is Grain.DOCUMENT:
        return frozenset(world.documents)
    return frozenset(
        chunk.chunk_id
        for document in world.documents.values()
        for version in document.versions
        for chunk in version.chunks
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    plan: Plan
    world: World
    monitor: Monitor
    grain: Grain
    depth: int

    def question(self, number: int, sample: Sample) -> Question:
        spec = self.plan.spec
        reader = sample.principal_id or spec.samples.principal or ""
        as_of, known_at = sample.as_of or spec.as_of, sample.known_at or spec.known_at
        ask = Ask("reader", Caller(reader), sample.question, "", as_of, known_at, self.depth)

        def may_see(grain: Grain) -> Permitted:
            return self.monitor.permitted(reader, grain, as_of=as_of, known_at=known_at)

        may_read, grades = may_see(self.grain), graded(sample)
        dangling = tuple(item for item in grades if not may_read.knows(item))
        denied = {i for i in grades if may_read.knows(i) and i not in may_read}
        return Question(
            sample,
            # Not the sample's own id: it may hold what a header of a request cannot.
            Script(f"sample-{number:05d}", (ask,), whole_path=False),
            reader,
            {item: grade for item, grade in grades.items() if item not in denied},
            tuple(item for item, g in grades.items() if item in denied and g >= RELEVANT),
            dangling,
            may_see(self.plan.target.grain),
        )
