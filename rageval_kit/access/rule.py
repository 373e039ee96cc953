"""Which conditions of the access rule fail for this principal, this chunk and these instants?

One function per condition, in the order and the words of docs/access-rule.md, for one principal
and one chunk: plain enough to be checked by eye. The set-valued path is written separately and
must agree with this one.
"""

from collections.abc import Callable

from rageval_kit.access.question import (
    Question,
    allows,
    applies_now,
    at_home,
    clearance_of,
    denies,
    guest_now,
    holds_link,
    is_live,
    is_own_draft,
    is_public_now,
    level_of,
    names,
    refuse_links_in_denies,
    state_now,
)
from rageval_kit.records.world import PrincipalKind, PrincipalStatus, State, SubjectKind


def failing(question: Question) -> tuple[str, ...]:
    """The conditions that fail, in order; none means allowed."""
    refuse_links_in_denies((*question.document.entries, *question.inherited))
    found = [name for name, holds in CONDITIONS_BEFORE_LADDER if not holds(question)]
    if "C6" in found and question.version.valid_from is None:
        found[found.index("C6")] = "C6:undefined"
    rung = ladder(question)
    return (*found, rung) if rung else tuple(found)


def exists_and_is_active(q: Question) -> bool:  # C1
    if q.principal.principal_id not in q.world.principals:
        return False
    if not q.principal.statuses:
        return True
    reached = [status for at, status in q.principal.statuses if at <= q.times.now]
    return bool(reached) and reached[-1] is PrincipalStatus.ACTIVE


def is_of_the_tenant(q: Question) -> bool:  # C2
    return at_home(q) or guest_now(q) or any(is_public_now(q, e) for e in allows(q))


def has_the_level(q: Question) -> bool:  # C3
    own = q.chunk.label if q.chunk else None
    labels = [own, q.document.label, *(folder.label for folder in q.folders)]
    nearest = next((label for label in labels if label is not None), None)
    if nearest is None and q.world.policy.unlabelled_denied:
        return False
    return clearance_of(q) >= level_of(nearest, q.world.policy)


def has_the_compartments(q: Question) -> bool:  # C4
    needed = q.document.compartments.union(*(folder.compartments for folder in q.folders))
    if q.chunk:
        needed |= q.chunk.compartments
    if q.principal.kind is PrincipalKind.ANONYMOUS:
        return not needed
    return needed <= q.principal.compartments


def is_in_a_readable_state(q: Question) -> bool:  # C5
    state = state_now(q)
    if state is State.WITHDRAWN:
        return q.world.policy.archive
    return state is State.PUBLISHED or is_own_draft(q)


def is_in_force(q: Question) -> bool:  # C6
    start, end = q.version.valid_from, q.version.valid_to
    return start is not None and start <= q.times.as_of and (end is None or q.times.as_of < end)


def is_recorded(q: Question) -> bool:  # C7
    start, end = q.version.recorded_from, q.version.recorded_to
    known_at = q.times.known_at
    return (start is None or start <= known_at) and (end is None or known_at < end)


def is_not_denied_by_name(q: Question) -> bool:  # C8
    return not any(
        e.subject_kind is SubjectKind.USER and applies_now(q, e) for e in denies(q.document.entries)
    )


def is_not_denied_by_group(q: Question) -> bool:  # C9
    return not any(
        e.subject_kind is not SubjectKind.USER and applies_now(q, e)
        for e in denies(q.document.entries)
    )


def is_not_denied_by_folder(q: Question) -> bool:  # C10
    return not any(applies_now(q, e) for e in denies(q.inherited))


def ladder(q: Question) -> str:
    """The first rung of C11 to C14 that no allow entry reaches; empty when one reaches the top."""
    if is_own_draft(q):
        return ""
    named = [e for e in allows(q) if names(q, e)]
    if not named:
        return "C11"
    live = [e for e in named if is_live(e, q.times.now)]
    if not live:
        return "C12"
    through = [e for e in live if applies_now(q, e)]
    if not through:
        return "C13"
    if not any(e.subject_kind is not SubjectKind.LINK or holds_link(q, e) for e in through):
        return "C14"
    return ""


CONDITIONS_BEFORE_LADDER: tuple[tuple[str, Callable[[Question], bool]], ...] = (
    ("C1", exists_and_is_active),
    ("C2", is_of_the_tenant),
    ("C3", has_the_level),
    ("C4", has_the_compartments),
    ("C5", is_in_a_readable_state),
    ("C6", is_in_force),
    ("C7", is_recorded),
    ("C8", is_not_denied_by_name),
    ("C9", is_not_denied_by_group),
    ("C10", is_not_denied_by_folder),
)
