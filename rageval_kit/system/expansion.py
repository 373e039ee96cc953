"""What stands beside a hit and helps to understand it: its neighbours, its parent, its relations?

Each comes from another path than the search and is held against the very same rights.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from rageval_kit.system.config import EmbeddedConfig
from rageval_kit.system.faults import AnyFault
from rageval_kit.system.faults_parts import PartFault
from rageval_kit.system.rights import Mask, Visible
from rageval_kit.system.state import SystemState

# Metadata by which a version names another document: of which its first passage is taken.
_HOPS: Mapping[str, AnyFault] = MappingProxyType(
    {"parent": PartFault.PARENT_UNFILTERED, "related": PartFault.RELATED_UNFILTERED}
)


def expanded(
    positions: Sequence[int],
    state: SystemState,
    visible: Visible,
    config: EmbeddedConfig,
) -> list[int]:
    """The positions, each of the first `expand` followed by what stands beside it."""
    fault = config.switched
    joined: list[int] = []
    for rank, position in enumerate(positions):
        joined.append(position)
        if rank < config.expand:
            joined += _neighbours(position, state, _around(visible, fault))
            joined += _named(position, state, visible, fault)
    return list(dict.fromkeys(joined))


def _around(visible: Visible, fault: AnyFault | None) -> Mask | None:
    """By what the neighbours are judged: by their own rights; None: by nothing."""
    if fault is PartFault.NEIGHBOURS_UNFILTERED:
        return None
    return visible.titles if fault is PartFault.NEIGHBOURS_BY_DOCUMENT else visible.passages


def _neighbours(position: int, state: SystemState, mask: Mask | None) -> Iterator[int]:
    """The passage before and the one after, of the same version."""
    own = state.passage(position).version_id
    for near in (position - 1, position + 1):
        inside = 0 <= near < state.n_passages and state.passage(near).version_id == own
        if inside and (mask is None or mask[near]):
            yield near


def _named(
    position: int, state: SystemState, visible: Visible, fault: AnyFault | None
) -> Iterator[int]:
    """The first passage, of those that may be read, of each document that the metadata names."""
    for key, document_id in state.passage(position).metadata:
        document = state.shelf.document(document_id) if key in _HOPS else None
        if document is None:
            continue
        passages = [chunk.chunk_id for version in document.versions for chunk in version.chunks]
        there = (at for one in passages if (at := state.position(one)) is not None)
        readable = (at for at in there if fault is _HOPS[key] or visible.passages[at])
        yield from islice(readable, 1)
