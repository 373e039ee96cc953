"""What else that one may see is like the passage of a handle?"""

import numpy as np

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.dense import cosines
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, NOT_FOUND
from rageval_kit.system.visit import Visit

_MOST = 5


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    state, visible = visit.state, visit.visible
    position = state.position(exact_id(text))
    is_open = visit.fault is UnseenFaultA.RELATED_TO_HIDDEN
    if position is None or not (visible.passages[position] or is_open):
        return {Stage.CITATION: Seen(status=NOT_FOUND)}
    own = visit.state.vector(position)[None, :]
    near = np.concatenate([cosines(own, s.vectors)[0] for s in state.segments])
    shown = visible.passages.copy()
    if visit.fault is DoorFault.SEE_ALSO_UNFILTERED:
        shown[:] = True
    shown[position] = False
    others = np.flatnonzero(shown)
    best = others[np.argsort(-near[others], kind="stable")][:_MOST].tolist()
    return {
        Stage.CITATION: Seen(
            ids=tuple(state.passage(one).chunk_id for one in best),
            texts=tuple(state.passage(one).title if visible.titles[one] else "" for one in best),
            status=FOUND,
        )
    }
