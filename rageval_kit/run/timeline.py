"""What happened in a case, step by step: who did what, when, and what came back?

Ids, names and times only: no question, no answer, no text of a document.
"""

from collections.abc import Iterator, Mapping, Sequence

from rageval_kit.records.cases import Apply, Ask, Case, Look, Resolve, Step, Wait
from rageval_kit.records.changes import (
    BeforeAnswer,
    Break,
    Change,
    Mend,
    Publish,
    PublishVersion,
    SetState,
)
from rageval_kit.records.decisions import TimelineStep
from rageval_kit.run.rows import CaseRow, StepRow

SHOWN_IDS = 5
# Sessions that words of the grammar open by the way; those that a family names are told.
PASSING = frozenset(
    {"", "clean", "owner", "sibling", "in_force", "before", "after", "nowhere", "nothing", "reader"}
)
_PROBE = "probe-"  # each probe has a session of its own
_IDS = (
    "version_id",
    "document_id",
    "object_id",
    "principal_id",
    "membership_id",
    "guest_id",
    "link_id",
)


def timeline(row: CaseRow, case: Case | None) -> Iterator[TimelineStep]:
    """The steps of the row, told from the case's own script where it is at hand."""
    by_step: dict[int, list[StepRow]] = {}
    for step in row.steps:
        by_step.setdefault(step.step, []).append(step)
    at_s = 0.0
    violating = {finding.step for finding in row.findings}
    script = case.script.steps if case else ()
    for index, said in enumerate(row.script):
        step_made = script[index] if index < len(script) else None
        if isinstance(step_made, Wait):
            at_s += step_made.seconds
        elif step_made is None and said.startswith("wait "):
            at_s += float(said.split()[1])
        observed = by_step.get(index, [])
        first = observed[0] if observed else None
        yield TimelineStep(
            at_s,
            first.role if first else "",
            _said(step_made, said),
            first.principal_id if first else "",
            _shown(observed),
            leaked=index in violating,
        )


def _said(step: Step | None, recorded: str) -> str:
    """The step as recorded, with the times, the session or the objects that it was about."""
    match step:
        case Ask():
            asked = [("as of", step.as_of), ("as known at", step.known_at)]
            parts = [f"{name} {time.isoformat()}" for name, time in asked if time is not None]
            session = step.session.removeprefix(f"{step.role}-")  # asked again in another world
            if session not in {*PASSING, step.role} and not session.startswith(_PROBE):
                parts.append(f"in session {session}")
            return "; ".join([recorded, *parts, *_as_whom(step)])
        case Resolve() | Look():
            as_of = step.as_of if isinstance(step, Resolve) else None
            parts = [f"as of {as_of.isoformat()}"] if as_of else []
            return "; ".join([recorded, *parts, *_as_whom(step)])
        case Apply():
            return _changed(step.change)
        case Wait():
            return f"wait {step.seconds:.10g} s"
    return recorded


def _as_whom(step: Ask | Resolve | Look) -> Iterator[str]:
    """What a caller brings along beside the name: agents, a token or link, claims."""
    if step.caller.via:
        yield f"through {', '.join(step.caller.via)}"
    if step.bearing is not None or step.caller.token:
        yield "bearing the token or link shown before"
    if step.caller.claims:
        yield f"claiming {', '.join(sorted(step.caller.claims))}"


def _changed(change: Change) -> str:
    name = type(change).__name__
    match change:
        case Publish():
            claims = f"; its file claims {', '.join(sorted(change.claims))}"
            told = f"change {name}: {change.document.document_id}"
            return told + (claims if change.claims else "")
        case PublishVersion():
            return f"change {name}: {change.version.version_id}"
        case SetState():
            name = f"{name}_{change.state}"
        case Break():
            return f"change {name}: {change.part}, {change.how}"
        case Mend():
            return f"change {name}: {change.part}"
        case BeforeAnswer():
            return f"change {name}: {', '.join(type(one).__name__ for one in change.changes)}"
    found = (getattr(change, field, None) for field in _IDS)
    what = next((one for one in found if one), "")
    return f"change {name}: {what}" if what else f"change {name}"


def _shown(observed: Sequence[StepRow]) -> str:
    parts: list[str] = []
    for step in observed[:2]:
        parts += _of_step(step)
    return "; ".join(parts)


def _of_step(step: StepRow) -> Iterator[str]:
    seen: Mapping[str, Sequence[str]] = step.seen
    if step.error:
        yield f"error {step.error}"
        return
    if step.count is not None:
        yield f"count {step.count}"
    elif step.status:
        yield f"{step.status}: {', '.join(seen.get('citation', ())[:2])}".rstrip(": ")
        return
    elif "retrieve" in seen:
        yield f"{len(seen['retrieve'])} results, first {', '.join(seen['retrieve'][:2])}"
    elif "cache" in seen:
        yield f"from cache: {', '.join(seen['cache'][:SHOWN_IDS])}"
    elif step.acknowledged is not None:
        yield "confirmed" if step.acknowledged else "not confirmed"
    if step.as_of:
        yield f"understood as of {step.as_of}"
    if cited := seen.get("citation"):
        yield f"sources named: {', '.join(cited[:SHOWN_IDS])}"
    if step.tools:
        yield f"tools called: {', '.join(dict.fromkeys(step.tools))}"
