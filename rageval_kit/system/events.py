"""What is the system's state after a change that may also break, mend, restore or interrupt?"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from rageval_kit.records import changes
from rageval_kit.records.changes import Change
from rageval_kit.records.world import Document, State
from rageval_kit.system.cache import Served
from rageval_kit.system.changes import Shelf
from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.disturbed import REPLICA
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import Masks, Overlay, SystemState

_LATE = timedelta(seconds=90)
_REMOVALS = (
    changes.Revoke,
    changes.SetState,
    changes.EndMembership,
    changes.EndGuest,
    changes.RevokeLink,
)


def after(
    state: SystemState, first: SystemState, change: Change, epoch: int, config: EmbeddedConfig
) -> SystemState | None:
    """The next state, or None where the change is not taken; `first` is that of the connection."""
    events, fault = state.events, config.switched
    if isinstance(change, _REMOVALS) and fault is EventFault.REMOVALS_LATE:
        queued = (*events.queued, (state.now + _LATE, change))
        log = (*events.log, change)
        return replace(state, epoch=epoch, events=replace(events, queued=queued, log=log))
    found: SystemState | None
    match change:
        case changes.Break(part, how):
            broken = {**events.broken, part: how}
            return replace(state, epoch=epoch, events=replace(events, broken=broken))
        case changes.Mend(part):
            broken = {name: how for name, how in events.broken.items() if name != part}
            return replace(state, epoch=epoch, events=replace(events, broken=broken))
        case changes.BeforeAnswer(happening):
            return replace(state, epoch=epoch, events=replace(events, before_answer=happening))
        case changes.Resync():
            found = _resynced(state, epoch, fault)
        case changes.RestoreBackup():
            found = _restored(state, first, epoch, config)
        case _:
            found = state.after(change, epoch, config)
    if found is None:
        return None
    found = replace(found, events=replace(events, log=(*events.log, change)))
    if fault is EventFault.ERASURE_LEAVES_CACHE and isinstance(
        change, changes.SetState | changes.SetClock
    ):
        found = replace(found, epoch=state.epoch)
    on_folder = (
        isinstance(change, changes.Grant | changes.Revoke | changes.SetInheritance)
        and change.on_folder
    )
    if fault is UnseenFaultB.FOLDER_CHANGES_LEAVE_CACHES and on_folder:
        found = replace(found, epoch=state.epoch)
    return _caught_up(found, epoch, config)


def _caught_up(state: SystemState, epoch: int, config: EmbeddedConfig) -> SystemState:
    """The same with all that waited and is due; in a clean system nothing waits."""
    due = [change for at, change in state.events.queued if at <= state.now]
    for change in due:
        state = state.after(change, epoch, config) or state
    queued = tuple(one for one in state.events.queued if one[1] not in due)
    return replace(state, events=replace(state.events, queued=queued)) if due else state


def _resynced(state: SystemState, epoch: int, fault: AnyFault | None) -> SystemState:
    """Every document is taken from its source again: what was deleted here stays deleted.

    The source may still hold it: an erasure was asked of us, not of the share it came from.
    """
    shelf = state.shelf
    for document in state.shelf.changed.values():
        listed = _unburied(document) if fault is EventFault.RESYNC_RESURRECTS else document
        first = shelf.base.get(document.document_id)
        if fault is UnseenFaultB.RESYNC_RESETS_LISTS and first is not None:
            listed = replace(document, entries=first.entries)
        shelf = shelf.with_document(listed)
    return _with_shelf(state, shelf, epoch)


def _unburied(document: Document) -> Document:
    """The document as its source lists it, which keeps no tombstones."""
    return replace(
        document,
        versions=tuple(
            replace(version, states=tuple(s for s in version.states if s[1] is not State.DELETED))
            for version in document.versions
        ),
    )


def _restored(
    state: SystemState, first: SystemState, epoch: int, config: EmbeddedConfig
) -> SystemState:
    """The state of the connection, and on it everything that has happened since."""
    now = replace(first, masks=Masks(first.n_passages))
    for change in _replayed(state.events.log, config.switched):
        now = now.after(change, epoch, config) or now
    return replace(now, epoch=epoch, now=state.now, masks=Masks(now.n_passages))


def _replayed(log: Sequence[Change], fault: AnyFault | None) -> list[Change]:
    if fault is not EventFault.RESTORE_FORGETS_DELETIONS:
        return list(log)
    return [
        change
        for change in log
        if not (isinstance(change, changes.SetState) and change.state is State.DELETED)
    ]


def _with_shelf(state: SystemState, shelf: Shelf, epoch: int) -> SystemState:
    overlay = Overlay(state.ground, shelf, state.overlay.folders, state.added)
    return replace(state, epoch=epoch, shelf=shelf, overlay=overlay, masks=Masks(state.n_passages))


def read_from(state: SystemState, first: SystemState, fault: AnyFault | None) -> SystemState:
    """What is read: the state itself. A replica that lags stands where the connection left it."""
    if fault is EventFault.LAGGING_REPLICA_READ and REPLICA in state.events.broken:
        masks = Masks(first.n_passages)
        return replace(first, epoch=state.epoch, now=state.now, events=state.events, masks=masks)
    return state


def quoted(served: Served, fault: AnyFault | None) -> tuple[str, ...]:
    """What of an answer's sources is written into the log: nothing."""
    return served.context_texts if fault is EventFault.ERASURE_LEAVES_LOG else ()


def still_readable(positions: Sequence[int], visible: Visible, fault: AnyFault | None) -> list[int]:
    """Of what was retrieved, what may be read now that it is answered from."""
    if fault is EventFault.RIGHTS_READ_ONCE:
        return list(positions)
    return [position for position in positions if visible.passages[position]]
