"""Does a question refer to what was said before, and what of that may be said again?"""

import re
from dataclasses import dataclass

from rageval_kit.records.world import State
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_events import EventFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.lifecycle import is_in
from rageval_kit.system.memory import Remembered
from rageval_kit.system.rights import Visible
from rageval_kit.system.state import SystemState

_BACK = re.compile(
    r"\b(said|shown|told|answered|discussed)\s+(above|before|earlier|so far)\b"
    r"|(上面|前面|以上|刚才|此前)(所)?(说|讲|回答|提到|展示|讨论|的内容|内容)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was asked then, and the passages that it was answered from."""

    question: str
    positions: tuple[int, ...]


def recalled(
    query: str,
    remembered: Remembered,
    state: SystemState,
    visible: Visible,
    fault: AnyFault | None,
) -> Recalled | None:
    """What the question refers to, by the rights of now; None where it stands by itself."""
    if not remembered.shown or not _BACK.search(query):
        return None
    positions = (state.position(chunk_id) for chunk_id in remembered.shown)
    kept = tuple(
        position
        for position in positions
        if position is not None and _may_repeat(position, state, visible, fault)
    )
    asked = dict.fromkeys(one for one in remembered.questions if not _BACK.search(one))
    return Recalled(" ".join(asked), kept)


def _may_repeat(
    position: int, state: SystemState, visible: Visible, fault: AnyFault | None
) -> bool:
    if fault is EventFault.HISTORY_NOT_RECHECKED:
        return True
    if fault is EventFault.ERASURE_LEAVES_MEMORY and is_in(State.DELETED, position, state):
        return True
    if fault is UnseenFaultB.RECALLED_BY_DOCUMENT:
        return _is_read_in_part(position, state, visible)
    return bool(visible.passages[position])


def _is_read_in_part(position: int, state: SystemState, visible: Visible) -> bool:
    document = state.shelf.document(state.passage(position).document_id)
    chunks = (c for version in document.versions for c in version.chunks) if document else ()
    there = (state.position(chunk.chunk_id) for chunk in chunks)
    return any(visible.passages[one] for one in there if one is not None)
