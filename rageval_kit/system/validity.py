"""Which versions hold at `as_of`, by what was known at `known_at` (C6 and C7)?

One boolean per version of a block, computed from its columns; intervals are half-open, and a
version without a beginning is never valid.
"""

import numpy as np
from numpy.typing import NDArray

from rageval_kit.records.world import State
from rageval_kit.system.block import STATES, Block
from rageval_kit.system.faults import AnyFault, Fault
from rageval_kit.system.faults_time import TimeFault
from rageval_kit.system.faults_unseen_b import UnseenFaultB
from rageval_kit.system.instants import DAY, FOR_EVER, Instants

Mask = NDArray[np.bool_]


def in_force(block: Block, at: Instants, fault: AnyFault | None) -> Mask:
    valid = _begun(block, at.as_of, fault) & _not_ended(block, at.as_of, fault)
    recorded = (block.recorded_from <= at.known_at) & (at.known_at < block.recorded_to)
    if fault is Fault.IGNORE_C6:
        return recorded
    if fault is Fault.IGNORE_C7:
        return valid
    if fault is TimeFault.LATEST_BY_INGEST:
        return _last(block, recorded, recorded, block.recorded_from)
    if fault is TimeFault.CHAIN_FOLLOWS_SUCCESSOR:
        return _last(block, valid & recorded, recorded, block.valid_from)
    if fault is UnseenFaultB.LAST_PUBLISHED_EDITION:
        published = block.states(at.now) == STATES[State.PUBLISHED]
        begun = _begun(block, at.as_of, fault)
        either = _last(block, valid & recorded, begun & recorded & published, block.valid_from)
        return either | (valid & recorded)
    return valid & recorded


def _begun(block: Block, as_of: int, fault: AnyFault | None) -> Mask:
    begins = block.valid_from
    if fault is TimeFault.DATE_ONLY:
        begins, as_of = begins // DAY, as_of // DAY
    begun = begins <= as_of
    if fault is TimeFault.FUTURE_EFFECTIVE_IGNORED:
        begun |= block.valid_from < FOR_EVER
    if fault is TimeFault.UNDATED_SERVED:
        begun |= block.valid_from == FOR_EVER
    return begun


def _not_ended(block: Block, as_of: int, fault: AnyFault | None) -> Mask:
    ends = block.valid_to
    if fault is TimeFault.END_INCLUSIVE:
        return as_of <= ends
    if fault is TimeFault.DATE_ONLY:
        ends, as_of = ends // DAY, as_of // DAY
    going_on = as_of < ends
    if fault is TimeFault.SUPERSEDED_SERVED:
        going_on[:] = True
    return going_on


def _last(block: Block, reached: Mask, among: Mask, by: NDArray[np.int64]) -> Mask:
    """In each document of which a version is reached: the last by `by` of those `among`."""
    document = block.version_document
    able = np.flatnonzero(among & (block.valid_from < FOR_EVER))
    able = able[np.lexsort((block.valid_from[able], by[able]))]
    last = np.full(len(block.tenant), -1, dtype=np.int64)
    last[document[able]] = able  # where a document repeats the last assignment stays
    found = np.zeros(len(document), dtype=np.bool_)
    chosen = last[np.unique(document[reached])]
    found[chosen[chosen >= 0]] = True
    return found
