"""The one decision of a run and everything a report prints; it is what the archive stores.

Every record here is plain data (text, numbers, tuples, mappings of text) so that a report is
rendered from the archive alone, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rageval_kit.records.scores import MetricResult as MetricResult  # noqa: PLC0414 - told here, too
from rageval_kit.records.verdicts import CountsAs, Severity


class RunOutcome(StrEnum):
    PASS = "pass"  # noqa: S105 - an outcome, not a password
    FAIL = "fail"
    INCOMPLETE = "incomplete"


class GateKind(StrEnum):
    SECURITY = "security"
    INFRASTRUCTURE = "infrastructure"
    COMPLETENESS = "completeness"
    AVAILABILITY = "availability"
    QUALITY = "quality"


@dataclass(frozen=True, slots=True)
class GateResult:
    """One gate: its rule in words, the value met (None: not measured), n, and whether it is met.

    `shown` is the value with digits enough to justify the outcome. `exit_code` applies if not met.
    """

    gate: str
    kind: GateKind
    rule: str
    met: bool
    exit_code: int
    value: float | None = None
    threshold: float | None = None
    shown: str = ""
    n_scored: int = 0
    n_total: int = 0
    reasons: tuple[str, ...] = ()
    is_advice: bool = False  # told where it is not met, and decides nothing


@dataclass(frozen=True, slots=True)
class Decision:
    outcome: RunOutcome
    exit_code: int
    gates: tuple[GateResult, ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StageCount:
    """How often a family's cases spoke at one stage, leaked there, or stayed silent there.

    `pairs`: distinct (principal, document) pairs among decided cases that spoke there;
    `upper_bound`: as in FamilyResult, for this stage alone.
    """

    stage: str
    spoke: int
    violated: int
    silent: int
    pairs: int = 0
    upper_bound: float | None = None


@dataclass(frozen=True, slots=True)
class ChoiceResult:
    """What questions with options came to: hidden facts, and the two groups held beside them.

    Of `asked` facts `chosen` were answered with one option and `right` with the true one; chance is
    one in `options`. `p`: how likely chance is right so often among the choices; below `alpha` it
    is none. `leaked`, `bound`: the share of facts told, by best estimate and at most (95 %).
    `visible`: right, of facts that may be read; `nowhere`: right, of the choices made about facts
    that stand nowhere. `share`: the leaked share that so many facts show with `power`; None: none.
    """

    planned: int
    asked: int
    chosen: int
    right: int
    options: int
    alpha: float
    p: float
    leaked: float
    bound: float
    visible: tuple[int, int]
    nowhere: tuple[int, int]
    power: float
    share: float | None = None


@dataclass(frozen=True, slots=True)
class FamilyResult:
    """Counts of one family. `not_applicable` non-empty: it was not run, and why.

    `pairs_tested` counts distinct (principal, document) pairs of cases that held or were violated;
    `upper_bound` is the exact one-sided 95 % bound (Clopper-Pearson) on the share of leaking pairs
    when none leaked, None when `exhaustive` (every pair there is was tested) or when some leaked or
    nothing was tested; of questions with options, `choice` says what is known in its place and the
    bound is its. `has_readers` False: the kit searches its own files, and `planned` counts
    those; nobody asks anything and there are no pairs.
    """

    family: str
    title: Mapping[str, str]
    severity: Severity
    counts_as: CountsAs
    planned: int
    held: int = 0
    violated: int = 0
    unobserved: int = 0
    failed: int = 0
    lagged: int = 0
    pairs_tested: int = 0
    pairs_available: int = 0
    pairs_leaked: int = 0
    exhaustive: bool = False
    upper_bound: float | None = None
    not_applicable: str = ""
    required: bool = False
    stages: tuple[StageCount, ...] = ()
    reasons: Mapping[str, int] = field(default_factory=dict)
    motive: Mapping[str, str] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    standards: tuple[str, ...] = ()
    has_readers: bool = True
    told: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # name: (times, of cases)
    choice: ChoiceResult | None = None
    policy: tuple[str, ...] = ()  # readings of the rule on which it rests, `name: value`


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One step of a case as people read it: who did what, and what came back (ids, no text)."""

    at_s: float
    role: str
    action: str
    principal_id: str = ""
    seen: str = ""
    leaked: bool = False


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """A violated case as the report tells it; excerpts are redacted before they come here.

    `role` is that of the step that leaked: a twin may be shown what is not its own either.
    `asked_about` is the document the case is about, `document_id` the one that surfaced.
    """

    case_id: str
    family: str
    severity: Severity
    principal_id: str
    principal_tenant: str
    document_id: str
    document_tenant: str
    item_id: str
    stage: str
    check: str
    denied_by: tuple[str, ...]
    evidence: str
    timeline: tuple[TimelineStep, ...]
    standards: tuple[str, ...]
    replay: str
    look_first: Mapping[str, str] = field(default_factory=dict)
    role: str = "reader"
    asked_about: str = ""


@dataclass(frozen=True, slots=True)
class ControlResult:
    """A control of the suite itself: `met` None means not measured. `detail` is one line.

    `is_gated` False: what it lacks is counted elsewhere in the decision, and only told here.
    """

    control: str
    title: Mapping[str, str]
    met: bool | None
    n: int
    n_total: int
    detail: str = ""
    is_gated: bool = True


@dataclass(frozen=True, slots=True)
class CoverageCell:
    """One condition C1…C14: was a pair denied by it alone tested, and its allowed twin?"""

    condition: str
    denied_alone: int
    twin_allowed: int
    not_applicable: str = ""


@dataclass(frozen=True, slots=True)
class ProofSummary:
    """The shipped proof of exactly this suite hash; `suite_hash` empty: there is none.

    `cases`: of one whole run as it was proved; a run may have other sizes of the same families.
    `refusing`: the same faults behind a model that refuses when its context is forbidden. `unseen`:
    the faults that were written by somebody who had not read the families: which, whether it was
    killed at first try, and what was mended where it was not.
    """

    suite_hash: str = ""
    date: str = ""
    faults_killed: int = 0
    faults_total: int = 0
    clean_seeds: int = 0
    clean_silent: int = 0
    matrix: tuple[tuple[str, str, str], ...] = ()  # (fault, naming family, how it was killed)
    refusing: tuple[tuple[str, str, str], ...] = ()
    unseen: tuple[tuple[str, bool, str], ...] = ()
    cases: int = 0


@dataclass(frozen=True, slots=True)
class StratumResult:
    """One metric over the samples of one stratum; a stratum without samples keeps its row.

    `note`: '', `too_few` (a value without interval), or `not_measured`. `n_least` above 0: the
    stratum is required, and fewer scored samples make the run incomplete.
    """

    dimension: str
    stratum: str
    metric: str
    n_scored: int
    n_total: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""
    n_least: int = 0


@dataclass(frozen=True, slots=True)
class MacroMean:
    """The mean of a dimension's strata, each counting alike; `entered` names those it rests on."""

    dimension: str
    metric: str
    value: float | None
    entered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorstQuery:
    metric: str
    query_id: str
    value: float


@dataclass(frozen=True, slots=True)
class JudgmentNote:
    """One judgment of a query that needs a word: `document_id` as the judgments name it."""

    query_id: str
    document_id: str


@dataclass(frozen=True, slots=True)
class SamplesResult:
    """What was asked of judged questions, and what their judgments are worth on this snapshot.

    `n_answered`: lists that came back; `n_scored`: those that could be judged; `n_looked_at`: those
    whose every result was held against what its reader may read. `judged`: the share of first
    results that somebody judged. `not_permitted`: relevant documents that the query's reader may
    not read, left out of its judgments. `shown_forbidden`: results that the reader may not read.
    `stale`: judged on an older version, `stale_share` of the relevant ones. `undated`: questions
    judged on another snapshot that carry no date. `n_*` count what the lists here show the first
    of.
    """

    file: str
    digest: str
    n_questions: int
    grain: str
    depth: int
    rolled_up: bool = False
    n_duplicates: int = 0
    n_answered: int = 0
    judged: MetricResult | None = None
    n_judgments: int = 0
    n_relevant: int = 0
    dangling: tuple[JudgmentNote, ...] = ()
    n_dangling: int = 0
    not_permitted: tuple[JudgmentNote, ...] = ()
    n_not_permitted: int = 0
    shown_forbidden: tuple[JudgmentNote, ...] = ()
    n_shown_forbidden: int = 0
    labelled_on: tuple[str, ...] = ()
    stale: tuple[JudgmentNote, ...] = ()
    n_stale: int = 0
    stale_share: float | None = None
    n_undated: int = 0
    strata: tuple[StratumResult, ...] = ()
    macro: tuple[MacroMean, ...] = ()
    worst: tuple[WorstQuery, ...] = ()
    n_scored: int = 0
    n_looked_at: int = 0


@dataclass(frozen=True, slots=True)
class OwnPayloads:
    """The user's own payloads that were planted; `sources` as (source, licence, how many)."""

    file: str
    digest: str
    family: str
    sources: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One evaluation, whole: what was tested, what came of it, what was not tested and why."""

    run_id: str
    fingerprint: str
    started_at: str
    finished_at: str
    resumed: int
    command: tuple[str, ...]
    user: str
    target: str
    target_parts: Mapping[str, str]
    grain: str
    taps: tuple[str, ...]
    powers: tuple[str, ...]
    fault: str
    snapshot: str
    snapshot_digest: str
    directory_digest: str
    documents: int
    chunks: int
    principals: int
    suites: tuple[str, ...]
    suite_hash: str
    seed: int
    now: str
    as_of: str
    known_at: str
    cases_planned: int
    cases_executed: int
    calls: int
    calls_failed: int
    duration_s: float
    target_s: float
    families: tuple[FamilyResult, ...]
    controls: tuple[ControlResult, ...]
    coverage: tuple[CoverageCell, ...]
    proof: ProofSummary
    findings: tuple[FindingRecord, ...]
    findings_total: int
    metrics: tuple[MetricResult, ...]
    decision: Decision
    not_run: tuple[tuple[str, str], ...]
    versions: Mapping[str, str]
    config_text: str = ""
    previous: str = ""
    digest: str = ""
    samples: SamplesResult | None = None
    payloads: OwnPayloads | None = None
    payload_sources: tuple[tuple[str, int], ...] = ()  # (source with licence, cases)
    decided_by: str = ""  # whose decisions are the reference; empty: people and rights of the run
    documents_denied: int = 0  # of `documents`, those that somebody denied asked for
