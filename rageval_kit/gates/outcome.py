"""What did one case come to? The order of rules.md 2: violated, failed, unobserved, held."""

from collections.abc import Collection, Iterable, Sequence

from rageval_kit.records.target import Stage
from rageval_kit.records.verdicts import CheckResult, Finding, Outcome, Verdict

TWIN_FAILED = "twin_failed"
NOT_FIRED = "not_fired"
SILENT = "silent"
NOTHING_CHECKED = "nothing_checked"
LAG = "lag"
REVIEW = "review"


def decide_case(  # noqa: PLR0913 - a verdict carries what the case was
    case_id: str,
    family: str,
    results: Sequence[CheckResult],
    alive: Sequence[CheckResult],
    *,
    service_level_s: float = 0.0,
    required: Collection[Stage] = (),
    probes: Collection[str] = (),
    reviews: Sequence[str] = (),
    stages_seen: Sequence[Stage] = (),
    reader_id: str = "",
    document_id: str = "",
    denied_by: tuple[str, ...] = (),
) -> Verdict:
    """Fold the checks of a case, and what had to succeed for silence to count, into one verdict.

    `results` are the oracles, `alive` the living positives (a case without one is never held),
    `required` the taps that must have spoken, `probes` those of the positives that show that the
    probe could fire (every other one is a reader who should have found), `reviews` what a judge
    objects to. The reason begins with a code that reports count by: a check's name, `failed`,
    `twin_failed`, `silent`, ….
    """
    sightings = [f for result in (*results, *alive) for f in (*result.findings, *result.lags)]
    breaches = tuple(f for f in sightings if not _inside(f, service_level_s))
    lags = tuple(f for f in sightings if _inside(f, service_level_s))
    silent = _stages(stage for result in results for stage in result.silent)
    twin_ok = _twin_ok(alive, probes)
    missing = [stage for stage in silent if stage in required]
    outcome, reason = _decide(results, alive, breaches, missing, twin_ok)
    return Verdict(
        case_id=case_id,
        family=family,
        outcome=outcome,
        reason=reason,
        findings=breaches if outcome is Outcome.VIOLATED else (),
        notes=_notes(lags, service_level_s, reviews),
        stages_seen=tuple(stage for stage in _stages(stages_seen) if stage not in silent),
        stages_silent=silent,
        reader_id=reader_id,
        document_id=document_id,
        denied_by=denied_by,
        twin_ok=twin_ok,
        told=_told((*results, *alive)),
    )


def _told(results: Iterable[CheckResult]) -> dict[str, bool]:
    """What any of them saw was seen."""
    told: dict[str, bool] = {}
    for result in results:
        for name, seen in result.told.items():
            told[name] = told.get(name, False) or seen
    return told


def _decide(
    results: Sequence[CheckResult],
    alive: Sequence[CheckResult],
    breaches: Sequence[Finding],
    silent: Sequence[Stage],
    twin_ok: bool | None,  # noqa: FBT001 - a state, not a switch
) -> tuple[Outcome, str]:
    everything = (*results, *alive)
    # An oracle that objects without showing anything still objects; one whose sightings all lie
    # inside the service level has shown a lag, not a leak.
    objecting = [
        result
        for result in results
        if result.outcome is Outcome.VIOLATED and not result.findings and not result.lags
    ]
    if breaches or objecting:
        seen = [f"{f.check} at {f.stage}" for f in breaches]
        seen += [f"{result.check}: {result.reason}".rstrip(": ") for result in objecting]
        return Outcome.VIOLATED, "; ".join(dict.fromkeys(seen))
    failed = [result for result in everything if result.outcome is Outcome.FAILED]
    if failed:
        causes = dict.fromkeys(result.reason or result.check for result in failed)
        return Outcome.FAILED, "failed: " + "; ".join(causes)
    reason = _unobserved(results, alive, silent, twin_ok)
    if reason:
        return Outcome.UNOBSERVED, reason
    return Outcome.HELD, ""


def _unobserved(
    results: Sequence[CheckResult],
    alive: Sequence[CheckResult],
    silent: Sequence[Stage],
    twin_ok: bool | None,  # noqa: FBT001 - a state, not a switch
) -> str:
    """Why nothing can be concluded from silence; empty: something can."""
    unseen = [result for result in results if result.outcome is Outcome.UNOBSERVED]
    if silent or any(result.silent for result in unseen):
        stages = _stages(silent or (stage for result in unseen for stage in result.silent))
        return f"{SILENT}: " + ", ".join(stages)
    if unseen:
        said = dict.fromkeys(result.reason or result.check for result in unseen)
        return f"{NOT_FIRED}: " + "; ".join(said)
    dead = [result for result in alive if result.outcome is not Outcome.HELD]
    if dead:
        said = dict.fromkeys(f"{result.check} {result.reason}".strip() for result in dead)
        code = TWIN_FAILED if twin_ok is False else NOT_FIRED
        return f"{code}: " + "; ".join(said)
    if not alive:
        return f"{TWIN_FAILED}: no living positive was asked for"
    if not any(result.outcome in (Outcome.HELD, Outcome.VIOLATED) for result in results):
        return f"{NOTHING_CHECKED}: no oracle looked at this case"
    return ""


def _twin_ok(alive: Sequence[CheckResult], probes: Collection[str]) -> bool | None:
    """Did every reader who should have found, find? None: nobody was asked to."""
    twins = [result for result in alive if result.check not in probes]
    return all(result.outcome is Outcome.HELD for result in twins) if twins else None


def _inside(finding: Finding, level_s: float) -> bool:
    """Seen less than the service level after the event: `[0, level)`."""
    return finding.lag_s is not None and 0 <= finding.lag_s < level_s


def _notes(lags: Sequence[Finding], level_s: float, reviews: Sequence[str]) -> tuple[str, ...]:
    notes = [
        f"{LAG}: {lag.check} at {lag.stage} {lag.lag_s:g} s after the event, level {level_s:g} s"
        for lag in lags
    ]
    notes += [f"{REVIEW}: {review}" for review in reviews]
    return tuple(dict.fromkeys(notes))


def _stages(stages: Iterable[Stage]) -> tuple[Stage, ...]:
    return tuple(dict.fromkeys(stages))
