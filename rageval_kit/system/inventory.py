"""What does the index hold, entry by entry, and which model made each vector, when?"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rageval_kit.records.changes import Reembed, Reindex
from rageval_kit.records.target import Indexed
from rageval_kit.records.world import State
from rageval_kit.system.faults_index import IndexFault
from rageval_kit.system.instants import state_of

if TYPE_CHECKING:
    from rageval_kit.system.faults import AnyFault
    from rageval_kit.system.state import SystemState

FIRST_MODEL = "hashed-words-1"


@dataclass(frozen=True, slots=True)
class Stamp:
    """From passage `start` on: whose vectors these are, and since when they stand there.

    `at` None: loaded when the system was connected, which says nothing of how it follows.
    """

    start: int
    model: str = FIRST_MODEL
    at: datetime | None = None


FIRST_STAMPS = (Stamp(0),)


def restamped(
    stamps: tuple[Stamp, ...], model: str, change: Reindex | Reembed, fault: "AnyFault | None"
) -> tuple[tuple[Stamp, ...], str]:
    """Everything is indexed anew, by a new model where it was replaced; (seeded) only from then."""
    if isinstance(change, Reembed):
        model = change.model
        if fault is IndexFault.STALE_VECTORS:
            return stamps, model
    return (Stamp(0, model, change.at),), model


def inventory(state: "SystemState", fault: "AnyFault | None") -> Iterator[Indexed]:
    """Every passage that can still be found; what was deleted has left the index."""
    kept = fault is IndexFault.ORPHANS_KEPT
    gone = frozenset[str]() if kept else frozenset(_deleted(state))
    position, stamps = 0, (*state.stamps, Stamp(state.n_passages))
    current = 0
    for segment in state.segments:
        for passage in segment.passages:
            while position >= stamps[current + 1].start:
                current += 1
            position += 1
            if passage.version_id in gone:
                continue
            digest = hashlib.sha256(passage.text.encode("utf-8", "surrogatepass")).hexdigest()
            stamp = stamps[current]
            yield Indexed(passage.chunk_id, passage.version_id, digest, stamp.model, stamp.at)


def _deleted(state: "SystemState") -> Iterator[str]:
    for document in {**state.shelf.base, **state.shelf.changed}.values():
        for version in document.versions:
            if state_of(version, state.now) is State.DELETED:
                yield version.version_id
