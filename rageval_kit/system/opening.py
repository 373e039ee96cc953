"""What does a citation or a share link show to the one who opens it?"""

from dataclasses import dataclass

import numpy as np

from rageval_kit.records.world import Effect, Entry, State, SubjectKind
from rageval_kit.system.belonging import link_works
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.instants import end_of, micros, start_of
from rageval_kit.system.lifecycle import is_in
from rageval_kit.system.names import exact_id
from rageval_kit.system.refusals import refused, unknown
from rageval_kit.system.rights import Mask, Visible
from rageval_kit.system.segment import Passage
from rageval_kit.system.state import SystemState
from rageval_kit.system.versions import opened

LINK_PREFIX = "link:"
FOUND = "ok"
NOT_FOUND = "not_found"
FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class Opened:
    """A handle that is unknown and one that is forbidden give the very same `Opened`."""

    status: str
    passages: tuple[Passage, ...] = ()
    said: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        shown = tuple(passage.text for passage in self.passages)
        return (*shown, self.said) if self.said else shown


def open_handle(
    handle: str, state: SystemState, visible: Visible, config: EmbeddedConfig
) -> Opened:
    handle = exact_id(handle)
    if handle.startswith(LINK_PREFIX):
        return _open_link(handle.removeprefix(LINK_PREFIX), state, visible, config)
    position = state.position(handle)
    if position is None:
        return Opened(unknown(handle, state, config.switched))
    if _may_open(position, state, visible, config.switched):
        return Opened(FOUND, (opened(position, state, config.switched),))
    if config.switched is Fault.FORBIDDEN_DIFFERS_FROM_UNKNOWN:
        return Opened(FORBIDDEN)
    status, said = refused(position, state, config.switched)
    return Opened(status, said=said)


def _refused(config: EmbeddedConfig) -> Opened:
    if config.switched is Fault.FORBIDDEN_DIFFERS_FROM_UNKNOWN:
        return Opened(FORBIDDEN)
    return Opened(NOT_FOUND)


def _may_open(position: int, state: SystemState, visible: Visible, fault: AnyFault | None) -> bool:
    if fault is Fault.CITATION_WITHOUT_CHECK:
        return True
    if fault is Fault.ATTACHMENT_WITHOUT_CHECK and state.passage(position).kind == "attachment":
        return bool(visible.titles[position])
    if fault is EventFault.QUARANTINED_STILL_OPENS and is_in(State.QUARANTINED, position, state):
        return True
    return bool(visible.passages[position])


def _open_link(
    link_id: str, state: SystemState, visible: Visible, config: EmbeddedConfig
) -> Opened:
    """The passages that the link shares, of those the caller may see; a dead link shows none.

    Opening a handle records no possession: that is a change of its own.
    """
    fault = config.switched
    if link_id not in state.people.links:
        return Opened(NOT_FOUND)
    shown: list[Passage] = []
    if link_works(state.people, link_id, state.now, fault):
        shared = _shared_by(link_id, state, fault)
        shown = [
            passage
            for position in np.flatnonzero(_at_once(visible, state, fault))
            if (passage := state.passage(int(position))).document_id in shared
        ]
    return Opened(FOUND, tuple(shown)) if shown else _refused(config)


def _at_once(visible: Visible, state: SystemState, fault: AnyFault | None) -> Mask:
    """What of all shared documents is opened at once: what the caller may see."""
    if fault is not UnseenFaultA.LINK_OPENS_WHOLE_DOCUMENT:
        return visible.passages
    of = np.array([state.passage(n).version_id for n in range(state.n_passages)])
    return np.isin(of, of[visible.passages])


def _shared_by(link_id: str, state: SystemState, fault: AnyFault | None) -> set[str]:
    """Documents on which a live entry for the link hangs, or on a folder they inherit from."""
    now = micros(state.now)

    def names_it(entries: tuple[Entry, ...]) -> bool:
        return any(
            entry.subject_kind is SubjectKind.LINK
            and entry.subject_id == link_id
            and entry.effect is Effect.ALLOW
            and start_of(entry.window.start) <= now
            and (now < end_of(entry.window.end, entry.revoked_at) or fault is Fault.IGNORE_C12)
            for entry in entries
        )

    handing_down: set[str] = set()
    for folder_id, folder in state.shelf.folders.items():
        current, seen = folder, {folder_id}
        while not names_it(current.entries):
            parent = state.shelf.folders.get(current.parent_id or "")
            if not current.inherits or parent is None or parent.folder_id in seen:
                break
            seen.add(parent.folder_id)
            current = parent
        else:
            handing_down.add(folder_id)
    documents = {**state.shelf.base, **state.shelf.changed}
    return {
        document_id
        for document_id, document in documents.items()
        if names_it(document.entries) or (document.inherits and document.folder_id in handing_down)
    }
