"""What a composed configuration may hold, key by key, once it is checked and frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from rageval_kit.gates.policy import GatePolicy

Lang = Literal["en", "zh"]
Level = Literal["critical", "high", "medium", "low"]
Tap = Literal[
    "index",
    "query",
    "retrieve",
    "retrieve.sparse",
    "retrieve.dense",
    "rerank.input",
    "rerank",
    "cache",
    "context",
    "citation",
    "answer",
    "answer.stream",
    "tool",
    "log",
    "suggest",
    "egress",
    "reply",
]

# What a number may be, read by build.shape; a float is always finite.
POSITIVE = {"min": 1}
NOT_NEGATIVE = {"min": 0}


@dataclass(frozen=True, slots=True)
class Part:
    """A choice by kind: `config` is the frozen dataclass that the kind's own module declares."""

    kind: str
    config: object = None


@dataclass(frozen=True, slots=True)
class CorpusSpec:
    """Exactly one of `path`, a snapshot folder, and `name`, a shipped world."""

    kind: Literal["snapshot"] = "snapshot"
    path: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class AccessSpec:
    """Neither `path` nor `name`: the file `directory.json` beside the snapshot folder.

    `cedar` and `openfga`: the rights are what another engine decides, of every principal of type
    `user` whether it `reads` (an action, a relation) each document, of type `document`. `expected`:
    decisions that must come out so. `also`: further stores that must decide alike.
    """

    kind: Literal["directory", "cedar", "openfga"] = "directory"
    path: str | None = None
    name: str | None = None
    policies: str | None = None
    entities: str | None = None
    store: str | None = None
    also: tuple[str, ...] = ()
    user: str = "user"
    document: str = "document"
    reads: str = "can_read"
    expected: str | None = None


@dataclass(frozen=True, slots=True)
class RerankerSpec:
    """The embedded system's own second look at `depth` candidates, or `none`."""

    kind: Literal["none", "light"] = "light"
    depth: int = field(default=50, metadata=POSITIVE)


@dataclass(frozen=True, slots=True)
class FamilySelection:
    """Families by id (`CTL-*` is allowed) whose severity is among `severities`.

    `exclude` takes some of them out again, by id.
    """

    ids: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    severities: tuple[Level, ...] = ("critical", "high", "medium", "low")


@dataclass(frozen=True, slots=True)
class SizeSpec:
    """`cases` is about how many each family makes; None: as many as the family itself says.

    `facts`: how many hidden facts a family of forced choice asks about, in place of `cases`.
    """

    cases: int | None = field(default=None, metadata=POSITIVE)
    facts: int | None = field(default=None, metadata=POSITIVE)


@dataclass(frozen=True, slots=True)
class ServiceLevels:
    """Seconds that a change may take to be felt; before that a breach is a lag, after it a leak."""

    revocation: float = field(default=60.0, metadata=NOT_NEGATIVE)
    acl_sync: float = field(default=300.0, metadata=NOT_NEGATIVE)
    cache_ttl: float = field(default=300.0, metadata=NOT_NEGATIVE)
    deletion: float = field(default=300.0, metadata=NOT_NEGATIVE)
    indexing: float = field(default=600.0, metadata=NOT_NEGATIVE)


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    families: FamilySelection
    size: SizeSpec = field(default_factory=SizeSpec)
    required_taps: tuple[Tap, ...] = ()
    service_levels_s: ServiceLevels = field(default_factory=ServiceLevels)


@dataclass(frozen=True, slots=True)
class SamplesSpec:
    """Judged questions that a run asks beside its cases; without a `path` there are none.

    `principal` reads for samples that name nobody. `grain`: what the judgments name. `depth`: how
    many results are asked for (None: the run's `k`). `strata` declares values by dimension, which
    keep their rows; of the `required` ones each needs `min_per_stratum` scored samples.
    """

    path: str | None = None
    principal: str | None = None
    grain: Literal["document", "passage", "claim"] = "document"
    depth: int | None = field(default=None, metadata=POSITIVE)
    allow_dangling: bool = False
    min_per_stratum: int = field(default=5, metadata=POSITIVE)
    unjudged: Literal["nonrelevant", "condensed", "lowest", "highest"] = "nonrelevant"
    no_relevant: Literal["unmeasured", "zero"] = "unmeasured"
    strata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PayloadsSpec:
    """A user's own payloads, each a variant of `family`; without a `path` there are none."""

    path: str | None = None
    family: str = "INJ-01"


@dataclass(frozen=True, slots=True)
class ReportSpec:
    """`lang` None follows the run's language; no `sections` means all of them in shipped order."""

    lang: Lang | None = None
    formats: tuple[str, ...] = ("html", "md")
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchiveSpec:
    """Runs are written to `<root>/<run_id>/`; a `run_id` of None is made from time and config.

    `previous`: root digest of the release before this one, which the manifest then names.
    `sign_key`: a private key (PEM) that signs the manifest; its password is in an environment
    variable. `recipients`: public keys, or files of them, for whom full texts are kept encrypted.
    """

    root: str = "./reports/archive"
    run_id: str | None = None
    previous: str | None = None
    sign_key: str | None = None
    recipients: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """`block` cases travel together; `resume` is auto, never, or the id of an interrupted run.

    `repeats`: how often each case is run, for targets that answer otherwise each time. `workers`:
    how many processes share the blocks, where the target can be copied; the rows are the same.
    """

    kind: Literal["local"] = "local"
    block: int = field(default=64, metadata=POSITIVE)
    resume: str = "auto"
    repeats: int = field(default=1, metadata={"min": 1, "max": 100})
    workers: int = field(default=1, metadata={"min": 1, "max": 64})


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One evaluation as chosen; `now`, `as_of`, `known_at` None mean the snapshot's own clock."""

    corpus: CorpusSpec
    access: AccessSpec
    retriever: Part
    reranker: RerankerSpec
    generator: Part
    metrics: Mapping[str, Part]
    suites: Mapping[str, SuiteSpec]
    gate: GatePolicy
    report: ReportSpec
    archive: ArchiveSpec
    engine: EngineSpec
    seed: int = field(default=7, metadata=NOT_NEGATIVE)
    k: int = field(default=10, metadata=POSITIVE)
    lang: Lang = "en"
    now: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    fault: str | None = None
    samples: SamplesSpec = field(default_factory=SamplesSpec)
    payloads: PayloadsSpec = field(default_factory=PayloadsSpec)
