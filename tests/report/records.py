"""Run records written by hand: one that passes, one with two leaks, one incomplete, one empty."""

from dataclasses import fields, is_dataclass, replace
from enum import Enum

from rageval_kit.records.decisions import (
    ControlResult,
    CoverageCell,
    Decision,
    FamilyResult,
    FindingRecord,
    GateKind,
    GateResult,
    MetricResult,
    ProofSummary,
    RunOutcome,
    RunRecord,
    StageCount,
    TimelineStep,
)
from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CountsAs, Severity
from rageval_kit.report.standards import family_standards

HOSTILE = "<script>alert(1)</script>|[x](javascript:1)\u202eexe\u2066\u200b\x07\n## PASS\n| a | b |"
CONFIG = """corpus:
  kind: snapshot
  name: demo
retriever:
  kind: embedded
  token: '***'
seed: 20261
"""
SUITE_HASH = "7d" * 32
DIGEST = "3f9a2c" + "0" * 58

TITLES = {
    "ACL-01": ("cross-tenant read", "跨租户读取"),
    "ACL-08": ("revoked permission, with time", "权限收回之后"),
    "CAC-01": ("exact-cache key lacks principal", "缓存键缺少主体"),
    "DEL-01": ("deleted document still retrieved", "已删除文档仍被检索"),
    "RNK-03": ("readers starved by late filtering", "后置过滤使读者得不到结果"),
    "LOG-05": ("streaming shows, then retracts", "流式输出先显示后撤回"),
}


def text(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


def family(name: str, severity: Severity = Severity.CRITICAL, **changes: object) -> FamilyResult:
    base = FamilyResult(
        family=name,
        title=text(*TITLES[name]),
        severity=severity,
        counts_as=CountsAs.SECURITY,
        planned=118,
        held=118,
        pairs_tested=118,
        pairs_available=4120,
        upper_bound=1 - 0.05 ** (1 / 118),
        required=True,
        stages=(StageCount("retrieve", 118, 0, 0), StageCount("answer", 118, 0, 0)),
        standards=family_standards(name),
        motive=text(
            "A reader must never be shown what belongs to others.", "读者不得看到属于他人的内容。"
        ),
        limits=text("Speaks of the planted pairs only.", "仅针对植入的配对。"),
    )
    return replace(base, **changes)


def gate(kind: GateKind, *, met: bool = True, **changes: object) -> GateResult:
    codes = {"security": 3, "infrastructure": 5, "completeness": 4}
    base = GateResult(
        gate=f"{kind}.default",
        kind=kind,
        rule="violations in critical and high families = 0",
        met=met,
        exit_code=codes.get(kind, 1),
        value=0.0,
        threshold=0.0,
        shown="0",
        n_scored=332,
        n_total=332,
    )
    return replace(base, **changes)


def finding(number: int, **changes: object) -> FindingRecord:
    case = f"CAC-01-{number:04d}"
    base = FindingRecord(
        case_id=case,
        family="CAC-01",
        severity=Severity.CRITICAL,
        principal_id="u-bo",
        principal_tenant="globex",
        document_id=f"hr-{number:04d}",
        document_tenant="acme",
        item_id=f"hr-{number:04d}#2",
        stage="cache",
        check="forbidden_document",
        denied_by=("C2",),
        evidence="rank 1 of 10; text masked, keyed hash 91c0e7…",
        timeline=(
            TimelineStep(0.0, "twin", "twin u-amy asks", "u-amy", f"hr-{number:04d}#2, hr-0007#1"),
            TimelineStep(0.04, "", "wait 0.04 s"),
            TimelineStep(0.04, "reader", "reader u-bo asks", "u-bo", f"hr-{number:04d}#2"),
        ),
        standards=family_standards("CAC-01"),
        replay=f"rageval-kit explain 20261130T081500Z-3f9a2c {case}",
        look_first=text(
            "the key of the answer cache: does it hold the principal?",
            "回答缓存的键：其中是否包含主体？",
        ),
    )
    return replace(base, **changes)


def passing() -> RunRecord:
    exhaustive = family(
        "ACL-08",
        planned=96,
        held=96,
        lagged=3,
        pairs_tested=96,
        pairs_available=96,
        exhaustive=True,
        upper_bound=None,
        stages=(StageCount("retrieve", 96, 0, 0), StageCount("cache", 96, 0, 0)),
    )
    starved = family(
        "RNK-03",
        Severity.MEDIUM,
        counts_as=CountsAs.AVAILABILITY,
        planned=40,
        held=40,
        pairs_tested=40,
        pairs_available=400,
        upper_bound=None,
        stages=(StageCount("retrieve", 40, 0, 0),),
    )
    absent = family(
        "LOG-05",
        planned=0,
        held=0,
        pairs_tested=0,
        pairs_available=0,
        upper_bound=None,
        not_applicable="the target shows no answer.stream",
        stages=(),
        required=False,
    )
    return RunRecord(
        run_id="20261130T081500Z-3f9a2c",
        fingerprint="b1" * 32,
        started_at="2026-11-30T08:15:00Z",
        finished_at="2026-11-30T08:16:12Z",
        resumed=0,
        command=("rageval-kit", "+suite=acl_negative", "retriever=hybrid"),
        user="lin.wei",
        target="hybrid",
        target_parts={"arms": "bm25 + dense", "fusion": "rrf", "cache": "exact"},
        grain="chunk",
        taps=("retrieve", "cache", "context", "citation", "answer"),
        powers=("plant", "mutate", "clock", "restore"),
        fault="",
        snapshot="demo",
        snapshot_digest=DIGEST,
        directory_digest="5c" * 32,
        documents=412,
        chunks=1830,
        principals=24,
        suites=("acl_negative",),
        suite_hash=SUITE_HASH,
        seed=20261,
        now="2026-11-01T00:00:00+08:00",
        as_of="2026-11-01T00:00:00+08:00",
        known_at="2026-11-01T00:00:00+08:00",
        cases_planned=254,
        cases_executed=254,
        calls=1016,
        calls_failed=0,
        duration_s=72.25,
        target_s=61.5,
        families=(family("ACL-01"), exhaustive, starved, absent),
        controls=(
            ControlResult("CTL-01", text("positive twins", "获准的对照"), True, 254, 254),
            ControlResult(
                "CTL-04", text("detectors", "探测器"), True, 17, 17, "no false alarm in 1,500"
            ),
            ControlResult("CTL-03", text("A/A noise", "A/A 噪声"), None, 0, 0),
        ),
        coverage=(
            CoverageCell("C1", 12, 12),
            CoverageCell("C2", 118, 118),
            CoverageCell("C14", 0, 0, "this corpus has no share links"),
        ),
        proof=ProofSummary(
            SUITE_HASH,
            "2026-11-20",
            24,
            24,
            8,
            8,
            (("cache_key_without_principal", "CAC-01", "violated"),),
        ),
        findings=(),
        findings_total=0,
        metrics=(
            MetricResult(
                "recall@10",
                text(
                    "Share of known relevant passages in the top 10.",
                    "前 10 个结果中已知相关段落的比例。",
                ),
                0.873,
                0.841,
                0.902,
                188,
                200,
                {"undefined": 12},
            ),
            MetricResult(
                "faithfulness",
                text("Share of supported claims.", "有依据的陈述比例。"),
                None,
                None,
                None,
                0,
                200,
                {"unmeasured": 200},
            ),
        ),
        decision=Decision(
            RunOutcome.PASS,
            0,
            (
                gate(
                    GateKind.QUALITY,
                    gate="recall@10",
                    rule="recall@10 >= 0.85",
                    value=0.873,
                    threshold=0.85,
                    shown="0.873",
                    n_scored=188,
                    n_total=200,
                ),
                gate(GateKind.SECURITY),
                gate(
                    GateKind.COMPLETENESS,
                    value=1.0,
                    threshold=1.0,
                    shown="254 of 254",
                    rule="every required family executed",
                ),
            ),
        ),
        not_run=(("AGT-01", "no agent"), ("suggest", "the target has no suggestions")),
        versions={"rageval-kit": "0.1.0", "python": "3.11.9", "embedding": "hashed-ngrams@1"},
        config_text=CONFIG,
        previous="20261102T070000Z-91aa04",
    )


def failing() -> RunRecord:
    leaking = family(
        "CAC-01",
        planned=96,
        held=94,
        violated=2,
        pairs_tested=96,
        pairs_available=96,
        pairs_leaked=2,
        upper_bound=None,
        stages=(
            StageCount("retrieve", 96, 0, 0),
            StageCount("cache", 96, 2, 0),
            StageCount("answer", 94, 0, 2),
        ),
    )
    run = passing()
    return replace(
        run,
        families=(*run.families, leaking),
        findings=(finding(12), finding(7)),
        findings_total=2,
        cases_planned=350,
        cases_executed=350,
        decision=Decision(
            RunOutcome.FAIL,
            3,
            (
                gate(
                    GateKind.SECURITY,
                    met=False,
                    value=2.0,
                    shown="2",
                    reasons=("CAC-01: 2 violated",),
                ),
                gate(
                    GateKind.COMPLETENESS,
                    value=1.0,
                    threshold=1.0,
                    shown="350 of 350",
                    rule="every required family executed",
                ),
            ),
            ("CAC-01: 2 violated",),
        ),
    )


def wide() -> RunRecord:
    """Every stage speaks in every family, and the kit's own files are searched."""
    run = failing()
    stages = tuple(
        StageCount(stage, 1118, 2 if stage == "cache" else 0, 3 if stage == "log" else 0, 96, 0.031)
        for stage in map(str, Stage)
    )
    files = family(
        "ACL-01", Severity.HIGH, family="LOG-06", planned=17, held=17, pairs_tested=0,
        pairs_available=0, exhaustive=True, upper_bound=None, stages=(), has_readers=False,
    )  # fmt: skip
    families = (replace(f, stages=stages) if f.stages else f for f in run.families)
    return replace(run, families=(*families, files))


def incomplete() -> RunRecord:
    run = passing()
    unseen = family(
        "DEL-01",
        planned=60,
        held=41,
        unobserved=17,
        failed=2,
        pairs_tested=41,
        pairs_available=60,
        upper_bound=None,
        reasons={"twin_failed": 17, "timeout": 2},
        stages=(StageCount("retrieve", 60, 0, 0), StageCount("context", 43, 0, 17)),
    )
    return replace(
        run,
        families=(*run.families, unseen),
        cases_planned=314,
        cases_executed=314,
        proof=ProofSummary(),
        decision=Decision(
            RunOutcome.INCOMPLETE,
            4,
            (
                gate(GateKind.SECURITY),
                gate(
                    GateKind.COMPLETENESS,
                    met=False,
                    value=19.0,
                    shown="19",
                    rule="every required family executed",
                    reasons=("DEL-01",),
                ),
            ),
        ),
    )


def empty() -> RunRecord:
    return replace(
        passing(),
        families=(),
        controls=(),
        coverage=(),
        proof=ProofSummary(),
        findings=(),
        findings_total=0,
        metrics=(),
        not_run=(),
        versions={},
        config_text="",
        previous="",
        suites=(),
        taps=(),
        powers=(),
        user="",
        cases_planned=0,
        cases_executed=0,
        calls=0,
        target_parts={},
        decision=Decision(
            RunOutcome.INCOMPLETE,
            4,
            (
                gate(
                    GateKind.COMPLETENESS,
                    met=False,
                    value=None,
                    threshold=None,
                    shown="",
                    n_scored=0,
                    n_total=0,
                ),
            ),
        ),
    )


def many(number: int = 100_000) -> RunRecord:
    """A run with that many findings, in one family."""
    run = failing()
    *rest, leaking = run.families
    leaking = replace(
        leaking,
        planned=number,
        held=0,
        violated=number,
        pairs_tested=number,
        pairs_leaked=number,
        stages=(StageCount("cache", number, number, 0),),
    )
    return replace(
        run,
        families=(*rest, leaking),
        findings=tuple(finding(i) for i in range(number)),
        findings_total=number,
        cases_planned=number + 254,
        cases_executed=number + 254,
    )


def poisoned(value: object, text_: str = HOSTILE) -> object:  # noqa: PLR0911
    """`value` with the hostile text in every field that is text, at any depth; enums stay."""
    if isinstance(value, Enum) or value is None or value == "":
        return value
    if isinstance(value, str):
        return text_
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: poisoned(getattr(value, f.name), text_) for f in fields(value)}
        )
    if isinstance(value, tuple):
        return tuple(poisoned(item, text_) for item in value)
    if isinstance(value, dict):
        if set(value) == {"en", "zh"}:
            return dict.fromkeys(value, text_)
        return {poisoned(k, text_): poisoned(v, text_) for k, v in value.items()}
    return value


def hostile() -> RunRecord:
    run = poisoned(failing())
    if not isinstance(run, RunRecord):
        raise TypeError
    return replace(run, snapshot_digest=DIGEST)
