"""What does the run attest about which digests, in the form that policy engines read?"""

import re
from collections.abc import Mapping
from typing import Any

from rageval_kit.records.decisions import FamilyResult, RunOutcome, RunRecord
from rageval_kit.records.faults import Fault, InputError
from rageval_kit.report.sound import require_sound

_SHA256 = re.compile(r"(?:sha256:)?([0-9a-f]{64})\Z")
STATEMENT = "https://in-toto.io/Statement/v1"
TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"


def _hex(digest: str) -> str:
    found = _SHA256.match(digest)
    return found.group(1) if found else ""


def _subject(subjects: Mapping[str, str]) -> list[dict[str, Any]]:
    if not subjects:
        raise InputError.one(
            "statement", "has no subject", "", "name what was tested by its SHA-256"
        )
    faults = [
        Fault(f"statement subject '{name}'", "is not a SHA-256", repr(digest), "give 64 hex digits")
        for name, digest in subjects.items()
        if not name or not _hex(digest)
    ]
    if faults:
        raise InputError(faults)
    return [{"name": name, "digest": {"sha256": _hex(digest)}} for name, digest in subjects.items()]


def _configuration(run: RunRecord) -> list[dict[str, Any]]:
    named = {
        "directory": run.directory_digest,
        "snapshot": run.snapshot_digest,
        "suite": run.suite_hash,
        "run-fingerprint": run.fingerprint,
    }
    return [
        {"name": name, "digest": {"sha256": _hex(digest)}}
        for name, digest in named.items()
        if _hex(digest)
    ]


def _state(family: FamilyResult) -> str:
    if family.violated:
        return "failed"
    if family.not_applicable or family.unobserved or family.failed or not family.held:
        return "not_observed"
    return "warned" if family.lagged else "passed"


def statement(run: RunRecord, subjects: Mapping[str, str]) -> dict[str, Any]:
    """An in-toto Statement v1. An incomplete run is FAILED: the predicate knows no third word.

    Families that were not wholly observed stand in none of its three lists, but in
    `notObservedTests`, which readers that do not know it must ignore.
    """
    require_sound(run)
    states: dict[str, list[str]] = {"passed": [], "warned": [], "failed": [], "not_observed": []}
    for family in run.families:
        states[_state(family)].append(family.family)
    passed = run.decision.outcome is RunOutcome.PASS
    result = "FAILED" if not passed else "WARNED" if states["warned"] else "PASSED"
    return {
        "_type": STATEMENT,
        "subject": _subject(subjects),
        "predicateType": TEST_RESULT,
        "predicate": {
            "result": result,
            "configuration": _configuration(run),
            "passedTests": states["passed"],
            "warnedTests": states["warned"],
            "failedTests": states["failed"],
            "notObservedTests": states["not_observed"],
        },
    }
