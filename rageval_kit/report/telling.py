"""By which sentence is a finding told: what kind of breach was it, and why was it one?"""

from collections.abc import Callable, Iterator
from functools import partial

from rageval_kit.records.decisions import FindingRecord
from rageval_kit.records.target import Stage
from rageval_kit.report.phrases import phrase, plain
from rageval_kit.report.visible import visible
from rageval_kit.report.words import Words

# Who sees what is forbidden is told by what forbids it, whatever else a case breached.
_SIGHTS = frozenset({"forbidden_document", "canary"})
_OPENED = "opened"  # a handle that was opened, and what it shows
_BROUGHT = {"via": "through", "borne": "bearing"}
_CITED = "cited"  # named as a source and seen nowhere else: no text of it was shown
_OF_VERSIONS = frozenset({"C5", "C6", "C7"})
_KIND_OF = {
    "told": frozenset({"at_chance", "hidden_term", "erased"}),
    "trace": frozenset(
        {"unchanged", "timing", "membership", "own_words", "count_at_most_visible"}
        | {"found_by_hidden"}
    ),
    "version": frozenset(
        {"value", "one_version", "provenance", "interpretation", "reproduces", "credited"}
        | {"same_as_cited", _CITED}
    ),
    "order": frozenset({"goal_reached", "egress", "payload_echo", "stripped", "prompt_kept"}),
    "falsehood": frozenset({"poisoned", "suppressed", "share", "existing_source"}),
    "outside": frozenset({"processors", "no_vectors"}),
    "trail": frozenset({"audited"}),
    "missed": frozenset({"found", "own_copy", "twin_served", "recall_against", "opens"}),
}
KINDS = ("sight", *_KIND_OF, "other")
# What every finding tells beside that which its own check noted.
_GENERAL = frozenset({"seen_at", "ids", "and_more", "right_value", "order_for", "repeats_violated"})
_OF_FACTS = ("state_", "in_force", "recorded_", "asked_as_of", "no_start")
_NOTED = 2


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
    if brought := _brought(finding):
        return brought
    if _notes(finding).get("seen_at") != Stage.CITATION:
        return ""
    if _opened(finding):
        return _OPENED
    return "provenance" if "provenance" in checks else _CITED


def _brought(finding: FindingRecord) -> str:
    """What the caller came with whose step leaked: agents, or a token or link; '' for neither."""
    leaked = [step.action for step in finding.timeline if step.leaked and step.role == "reader"]
    met = {part.split(" ")[0] for action in leaked for part in action.split("; ")[1:]}
    return next((name for name, sign in _BROUGHT.items() if sign in met), "")


def _opened(finding: FindingRecord) -> bool:
    """Whether what leaked was asked for by its handle or at another door, and not in a question."""
    leaked = [step.action for step in finding.timeline if step.leaked]
    return bool(leaked) and all(" opens" in one or " looks: " in one for one in leaked)


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
    if check in ("", _OPENED, *_BROUGHT):
        denied = set(finding.denied_by)
        return "version" if denied and denied <= _OF_VERSIONS else "sight"
    return next((kind for kind, checks in _KIND_OF.items() if check in checks), "other")


def noted(finding: FindingRecord) -> list[str]:
    """The first of what the check itself noted, as recorded: what differed, how often, by how much.

    A part that is no phrase is somebody's own text, and stays with the evidence.
    """
    found = [(part, phrase(part)) for part in dict.fromkeys(finding.evidence.split("; "))]
    names = [(part, key[0].removeprefix("phrase.")) for part, key in found if key]
    own = [p for p, name in names if name not in _GENERAL and not name.startswith(_OF_FACTS)]
    return own[:_NOTED]


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
        noted=visible(noted_told(finding, said), 200),
    )


def noted_told(finding: FindingRecord, said: Words) -> str:
    """What the check noted, in words; where it noted nothing, what it looks at."""
    parts = noted(finding)
    if parts:
        return said("page.semicolon").join(plain(part, said) for part in parts)
    checks = finding.check.split(", ")
    return said("page.semicolon").join(said.known("check", c) or visible(c, 40) for c in checks)
