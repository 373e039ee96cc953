"""In which state is the version that a passage belongs to: published, deleted, quarantined, …?"""

from rageval_kit.records.world import State
from rageval_kit.system.instants import state_of
from rageval_kit.system.state import SystemState


def is_in(wanted: State, position: int, state: SystemState) -> bool:
    passage = state.passage(position)
    document = state.shelf.document(passage.document_id)
    versions = document.versions if document else ()
    found = [version for version in versions if version.version_id == passage.version_id]
    return any(state_of(version, state.now) is wanted for version in found)
