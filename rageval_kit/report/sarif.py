"""How does a code-scanning dashboard see the run: its failures alone, and the coverage beside?"""

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any

from rageval_kit.records.decisions import FamilyResult, FindingRecord, RunRecord
from rageval_kit.records.verdicts import Severity
from rageval_kit.report.plain import plain
from rageval_kit.report.sound import require_sound
from rageval_kit.report.standards import named_standards, schemes, standard
from rageval_kit.report.telling import breach_told
from rageval_kit.report.view import ENTITLED, most_severe_first
from rageval_kit.report.visible import visible
from rageval_kit.report.words import words

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
}
# Read by dashboards as a number from 0 to 10.
_SCORE = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.0",
}
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)\Z")
_LIMIT = 300


def _show(text: str) -> str:
    return visible(text, _LIMIT)


def _key(finding: FindingRecord) -> str:
    """The same case at the same stage is the same alert in the next run."""
    parts = (finding.family, finding.case_id, finding.stage, finding.check, finding.item_id)
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()


def _taxa(labels: Iterable[str], places: dict[str, int]) -> list[dict[str, Any]]:
    return [
        {"id": item.id, "toolComponent": {"name": item.scheme, "index": places[item.scheme]}}
        for item in named_standards(labels)
        if item.scheme
    ]


def _message(finding: FindingRecord) -> str:
    leaked = finding.item_id or finding.document_id
    denied = f" (denied by {', '.join(finding.denied_by)})" if finding.denied_by else ""
    who = _show(finding.principal_id) or "a reader"
    what = _show(leaked) or "an item"
    breach = breach_told(finding, words("en"), who, what)
    if breach:
        return breach
    if finding.role in ENTITLED:
        about = _show(finding.asked_about) or "a document"
        told = f"asking about {about}, which they may read, {who} also got {what}"
    else:
        told = f"{who} was shown {what}"
    return f"{told} at stage {_show(finding.stage)}{_show(denied)}"


def _result(
    finding: FindingRecord, rules: dict[str, int], places: dict[str, int], target: str
) -> dict[str, Any]:
    leaked = _show(finding.document_id or finding.item_id or finding.case_id)
    place = {
        "name": leaked,
        "fullyQualifiedName": f"{_show(target)}/{_show(finding.stage)}/{leaked}",
        "kind": "resource",
    }
    made: dict[str, Any] = {
        "ruleId": _show(finding.family),
        "ruleIndex": rules[finding.family],
        "kind": "fail",
        "level": _LEVEL[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [{"logicalLocations": [place]}],
        "partialFingerprints": {"caseStage/v1": _key(finding)},
        "properties": {
            "caseId": _show(finding.case_id),
            "severity": str(finding.severity),
            "check": _show(finding.check),
            "evidence": _show(finding.evidence),
            "replay": _show(finding.replay),
        },
    }
    taxa = _taxa(finding.standards, places)
    return made | ({"taxa": taxa} if taxa else {})


def _rule(
    family: str, severity: Severity, title: str, standards: Iterable[str], places: dict[str, int]
) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": _show(family),
        "shortDescription": {"text": _show(title) or _show(family)},
        "defaultConfiguration": {"level": _LEVEL[severity]},
        "properties": {"security-severity": _SCORE[severity], "tags": ["security"]},
    }
    relations = [{"target": taxon, "kinds": ["relevant"]} for taxon in _taxa(standards, places)]
    return made | ({"relationships": relations} if relations else {})


def _taxonomies(labels: Iterable[str]) -> list[dict[str, Any]]:
    met = {(item.scheme, item.id): item for item in map(standard, labels) if item.scheme}
    made = []
    for scheme in schemes():
        taxa = [
            {"id": id_, "name": met[scheme.key, id_].name, "helpUri": met[scheme.key, id_].url}
            for id_ in scheme.names
            if (scheme.key, id_) in met
        ]
        if taxa:
            made.append(
                {
                    "name": scheme.key,
                    "fullName": f"{scheme.title}, {scheme.edition}",
                    "organization": scheme.organization,
                    "version": scheme.edition,
                    "taxa": taxa,
                    "isComprehensive": False,
                }
            )
    return made


def _family_counts(family: FamilyResult) -> dict[str, Any]:
    return {
        "family": _show(family.family),
        "severity": str(family.severity),
        "planned": family.planned,
        "held": family.held,
        "violated": family.violated,
        "unobserved": family.unobserved,
        "failed": family.failed,
        "pairsTested": family.pairs_tested,
        "pairsAvailable": family.pairs_available,
        "exhaustive": family.exhaustive,
        "upperBound95": family.upper_bound,
        "notApplicable": _show(family.not_applicable),
    }


def _coverage(run: RunRecord) -> dict[str, Any]:
    return {
        "runId": _show(run.run_id),
        "fingerprint": _show(run.fingerprint),
        "outcome": str(run.decision.outcome),
        "exitCode": run.decision.exit_code,
        "casesPlanned": run.cases_planned,
        "casesExecuted": run.cases_executed,
        "findingsTotal": run.findings_total,
        "findingsHere": len(run.findings),
        "families": [_family_counts(family) for family in run.families],
        "notRun": [{"name": _show(name), "reason": _show(why)} for name, why in run.not_run],
    }


def _invocation(run: RunRecord) -> dict[str, Any]:
    made: dict[str, Any] = {
        "executionSuccessful": run.cases_executed > 0
        or (run.samples is not None and run.samples.n_answered > 0)
    }
    made["exitCode"] = run.decision.exit_code
    instants = {"startTimeUtc": run.started_at, "endTimeUtc": run.finished_at}
    return made | {key: at for key, at in instants.items() if _INSTANT.match(at)}


def sarif(run: RunRecord) -> dict[str, Any]:
    """SARIF 2.1.0: `results` are the violations; what held or did not run is in `properties`."""
    require_sound(run)
    labels = [label for family in run.families for label in family.standards]
    labels += [label for finding in run.findings for label in finding.standards]
    taxonomies = _taxonomies(dict.fromkeys(labels))
    places = {taxonomy["name"]: place for place, taxonomy in enumerate(taxonomies)}
    made = {
        family.family: _rule(
            family.family, family.severity, family.title.get("en", ""), family.standards, places
        )
        for family in run.families
    }
    for finding in run.findings:
        if finding.family not in made:
            made[finding.family] = _rule(
                finding.family, finding.severity, "", finding.standards, places
            )
    rules = {family: place for place, family in enumerate(made)}
    driver: dict[str, Any] = {"name": "rageval-kit", "rules": list(made.values())}
    version = run.versions.get("rageval-kit", "")
    if version:
        driver["version"] = _show(version)
    findings = most_severe_first(run.findings)
    body: dict[str, Any] = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"rageval-kit/{_show(run.run_id)}"},
        "invocations": [_invocation(run)],
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, rules, places, run.target) for finding in findings],
        "properties": _coverage(run),
    }
    if taxonomies:
        body["taxonomies"] = taxonomies
        driver["supportedTaxonomies"] = [
            {"name": name, "index": place} for name, place in places.items()
        ]
    whole: dict[str, Any] = plain({"$schema": SCHEMA, "version": "2.1.0", "runs": [body]})
    return whole
