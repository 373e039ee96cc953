"""What stands at the same place in another version of a document? Only seeded faults ask."""

from dataclasses import replace

from rageval_kit.records.world import Document, State, Version
from rageval_kit.system.cache import Served
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.instants import state_of
from rageval_kit.system.segment import Passage
from rageval_kit.system.state import SystemState


def with_previous(positions: list[int], state: SystemState, fault: AnyFault | None) -> list[int]:
    """The positions; under the fault each is followed by that of the version before."""
    if fault is not TimeFault.VERSIONS_MIXED:
        return positions
    mixed: list[int] = []
    for position in positions:
        document, own = _home(state.passage(position), state)
        before = _previous(document, own)
        earlier = None if before is None else _same_place(position, own, before, state)
        mixed += [position] if earlier is None else [position, earlier]
    return list(dict.fromkeys(mixed))


def cited(served: Served, state: SystemState, fault: AnyFault | None) -> Served:
    """The answer with its citations; under the fault they name versions that hold no more."""
    if fault is not TimeFault.WITHDRAWN_STILL_CITED:
        return served
    return replace(served, cited_ids=tuple(_outdated(one, state) for one in served.cited_ids))


def opened(position: int, state: SystemState, fault: AnyFault | None) -> Passage:
    """The passage that a citation opens; under the fault it says what the newest version says."""
    passage = state.passage(position)
    if fault is not TimeFault.CITATION_FOLLOWS_HEAD:
        return passage
    return replace(passage, text=newest(position, state).text)


def newest(position: int, state: SystemState) -> Passage:
    """The passage at the same place of the newest version."""
    passage = state.passage(position)
    document, own = _home(passage, state)
    dated = [version for version in document.versions if version.valid_from is not None]
    head = _same_place(position, own, max(dated, key=_begins, default=own), state)
    return passage if head is None else state.passage(head)


def _outdated(chunk_id: str, state: SystemState) -> str:
    """The passage of a withdrawn version, else of the one before; the same where there is none."""
    position = state.position(chunk_id)
    if position is None:
        return chunk_id
    document, own = _home(state.passage(position), state)
    withdrawn = (
        version
        for version in document.versions
        if version is not own and state_of(version, state.now) is State.WITHDRAWN
    )
    other = next(withdrawn, None) or _previous(document, own)
    place = None if other is None else _same_place(position, own, other, state)
    return chunk_id if place is None else state.passage(place).chunk_id


def _home(passage: Passage, state: SystemState) -> tuple[Document, Version]:
    document = state.shelf.document(passage.document_id)
    if document is None:
        raise KeyError(passage.document_id)
    return document, next(v for v in document.versions if v.version_id == passage.version_id)


def _previous(document: Document, own: Version) -> Version | None:
    if own.valid_from is None:
        return None
    before = [v for v in document.versions if v.valid_from and v.valid_from < own.valid_from]
    return max(before, key=_begins, default=None)


def _begins(version: Version) -> float:
    return version.valid_from.timestamp() if version.valid_from else float("-inf")


def _same_place(position: int, own: Version, other: Version, state: SystemState) -> int | None:
    """The position of the other version's passage of the same number, or of its last."""
    chunk_id = state.passage(position).chunk_id
    number = next(n for n, chunk in enumerate(own.chunks) if chunk.chunk_id == chunk_id)
    if not other.chunks:
        return None
    return state.position(other.chunks[min(number, len(other.chunks) - 1)].chunk_id)
