"""Which of several near copies among the candidates stay? All of them.

A copy may differ in the one word that counts, and a copy may be read by people who may not read the
original: nothing is dropped for looking like something else.
"""

import numpy as np
from numpy.typing import NDArray

from rageval_kit.system.dense import cosines
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.faults_trust import TrustFault
from rageval_kit.system.ranking import Ranked
from rageval_kit.system.state import SystemState

_ALIKE = 0.75


def named(ranked: Ranked, state: SystemState, fault: AnyFault | None) -> Ranked:
    """By which id a passage goes on: its own, also where another says the same."""
    if fault is not PartFault.COPY_NAMED_AS_FIRST:
        return ranked
    copies = _copies(state)
    first = [copies[state.passage(int(position)).text][0] for position in ranked[0]]
    positions, kept = np.unique(np.array(first, dtype=np.int64), return_index=True)
    order = np.argsort(kept)
    return positions[order], ranked[1][kept[order]]


def _copies(state: SystemState) -> dict[str, list[int]]:
    """The positions of each text, in the order in which they were indexed."""
    copies: dict[str, list[int]] = {}
    passages = (passage for segment in state.segments for passage in segment.passages)
    for position, passage in enumerate(passages):
        copies.setdefault(passage.text, []).append(position)
    return copies


def kept_apart(
    ranked: Ranked, mask: NDArray[np.bool_], state: SystemState, fault: AnyFault | None
) -> Ranked:
    if fault is PartFault.COPIES_SHARE_DENIAL:
        copies = _copies(state)
        texts = [state.passage(int(position)).text for position in ranked[0]]
        open_to_all = np.array([bool(mask[copies[text]].all()) for text in texts], dtype=np.bool_)
        return ranked[0][open_to_all], ranked[1][open_to_all]
    if fault is not TrustFault.NEAR_DUPLICATES_DROPPED:
        return ranked
    kept = _newest_of_each(ranked[0], state)
    return ranked[0][kept], ranked[1][kept]


def _newest_of_each(positions: NDArray[np.int64], state: SystemState) -> NDArray[np.bool_]:
    """Of passages that look alike, the one that came into force last stays."""
    vectors = np.array([state.vector(int(position)) for position in positions])
    kept = np.ones(len(positions), dtype=np.bool_)
    if not len(positions):
        return kept
    alike = cosines(vectors, vectors) >= _ALIKE
    since = [state.passage(int(position)).since for position in positions]
    for first, second in np.argwhere(np.triu(alike, 1)):
        older = first if since[first] < since[second] else second
        kept[older] = False
    return kept
