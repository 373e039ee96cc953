"""What is said of something that is there but may not be seen: the same as of what is not there."""

from dataclasses import replace

from rageval_kit.records.world import State
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.faults_worlds import WorldFault
from rageval_kit.system.lifecycle import is_in
from rageval_kit.system.state import Overlay, SystemState

NOT_FOUND, GONE, INCOMPLETE = "not_found", "gone", "incomplete_handle"
_LOGGED = 200  # characters


def unknown(handle: str, state: SystemState, fault: AnyFault | None) -> str:
    """The status of a handle under which nothing is kept."""
    if fault is WorldFault.PART_CHECKED_BEFORE_RIGHT and _document_of(handle, state):
        return INCOMPLETE
    return NOT_FOUND


def _document_of(handle: str, state: SystemState) -> bool:
    """Whether the handle, or what stands before its part, names a document or a version."""
    whole = handle.partition("#")[0]
    return state.shelf.document(whole.partition("@")[0]) is not None


def refused(position: int, state: SystemState, fault: AnyFault | None) -> tuple[str, str]:
    """Status and text for a passage that is kept, and that the caller may not see."""
    if fault is WorldFault.RIGHTS_READ_AGAIN:
        _read_anew(state)
    if fault is WorldFault.REFUSAL_NAMES_TITLE:
        return NOT_FOUND, f"{state.passage(position).title}: –"
    if fault is WorldFault.GONE_DIFFERS_FROM_UNKNOWN and is_in(State.DELETED, position, state):
        return GONE, ""
    return NOT_FOUND, ""


def logged(handle: str, shown: int, state: SystemState, fault: AnyFault | None) -> tuple[str, ...]:
    """What more is written down of an opening that showed so many passages: nothing."""
    position = state.position(handle)
    if fault is not UnseenFaultA.REFUSALS_LOGGED_WITH_TEXT or shown or position is None:
        return ()
    return (f"refused: {state.passage(position).text[:_LOGGED]}",)


def _read_anew(state: SystemState) -> None:
    """Lay out the rights of every document again, as if what is laid out could be old."""
    shelf = replace(state.shelf, changed={**state.shelf.base, **state.shelf.changed})
    Overlay(state.ground, shelf, state.overlay.folders, state.added).block()
