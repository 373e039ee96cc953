"""By which sentence is a finding told: what kind of breach was it, and why was it one?"""

from collections.abc import Callable, Iterator
from functools import partial

from rageval_kit.records.decisions import FindingRecord
from rageval_kit.records.target import Stage
from rageval_kit.report.phrases import phrase
from rageval_kit.report.visible import visible
from rageval_kit.report.words import Words

# Who sees what is forbidden is told by what forbids it, whatever else a case breached.
_SIGHTS = frozenset({"forbidden_document", "canary"})
_CITED = "cited"  # named as a source and seen nowhere else: no text of it was shown
_OF_VERSIONS = frozenset({"C5", "C6", "C7"})
_ORDERS = frozenset({"goal_reached", "egress", "payload_echo", "stripped", "prompt_kept"})
_FALSEHOODS = frozenset({"poisoned", "suppressed", "share", "existing_source"})
_VERSIONS = frozenset(
    {"value", "one_version", "provenance", "interpretation", "reproduces", _CITED}
)
KINDS = ("sight", "version", "order", "falsehood", "other")


def _notes(finding: FindingRecord) -> dict[str, str]:
    """The keys of the phrases that the evidence holds, each with the first thing it tells."""
    found = (phrase(part) for part in finding.evidence.split("; "))
    return {
        key.removeprefix("phrase."): next(iter(places.values()), "")
        for key, places in filter(None, found)
    }


def _breach(finding: FindingRecord) -> str:
    """The check that tells the finding; '' where it is told by what its reader may not see."""
    checks = finding.check.split(", ")
    if not _SIGHTS.intersection(checks):
        return checks[0]
    if _notes(finding).get("seen_at") != Stage.CITATION:
        return ""
    return "provenance" if "provenance" in checks else _CITED


def breach_of(finding: FindingRecord, is_known: Callable[[str], object]) -> str:
    """The sentence by which a finding is told, where it is no forbidden sight; '' otherwise.

    The most particular one that the catalogue has: by check, by whether something forbids the item,
    by what was noted (`provenance_denied_right_value`), by stage.
    """
    check = _breach(finding)
    return next(filter(is_known, _names(check, finding)), "") if check else ""


def _names(check: str, finding: FindingRecord) -> Iterator[str]:
    denied = [f"{check}_denied"] if finding.denied_by else []
    for note in reversed(_notes(finding)):
        yield from (f"{name}_{note}" for name in (*denied, check))
    yield f"{check}_{finding.stage.replace('.', '_')}"
    yield from (*denied, check)


def kind_of(finding: FindingRecord) -> str:
    """One of KINDS, for the sentence that sums a run up."""
    check = _breach(finding)
    if not check:
        denied = set(finding.denied_by)
        return "version" if denied and denied <= _OF_VERSIONS else "sight"
    kinds = (("version", _VERSIONS), ("order", _ORDERS), ("falsehood", _FALSEHOODS))
    return next((kind for kind, checks in kinds if check in checks), "other")


def reasons_of(finding: FindingRecord, is_known: Callable[[str], object]) -> tuple[str, ...]:
    """What forbids the item; a state that is known goes before the list of all it may be."""
    state = _notes(finding).get("state_since", "")
    narrowed = f"C5_{state}"
    return tuple(
        narrowed if code == "C5" and state and is_known(narrowed) else code
        for code in finding.denied_by
    )


def breach_told(finding: FindingRecord, said: Words, reader: str, item: str) -> str:
    """The finding as one plain sentence, where it is no forbidden sight; '' otherwise."""
    breach = breach_of(finding, partial(said.known, "breach"))
    if not breach:
        return ""
    reasons = [
        said.known("denied", code) or visible(code, 40)
        for code in reasons_of(finding, partial(said.known, "denied"))
    ]
    return said(f"breach.{breach}").format(
        reader=reader or said("findings.nobody"),
        item=item,
        stage=said.known("stage", finding.stage) or visible(finding.stage, 40),
        reason=said("page.semicolon").join(reasons),
    )
