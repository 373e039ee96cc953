"""How does a passage look in short?"""

from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.visit import Visit

_LENGTH = 400


def preview(chunk_id: str, visit: Visit, *, is_first: bool = False) -> str:
    """The title where the caller may see it, and how the passage begins.

    `is_first`: of the first passage of its version in its place, as a fault has it.
    """
    state, position = visit.state, visit.state.position(chunk_id)
    if position is None:
        raise KeyError(chunk_id)
    passage = state.passage(position)
    sees_title = visit.visible.titles[position] or visit.fault is DoorFault.PREVIEW_TITLE_UNCHECKED
    if is_first:
        while position and state.passage(position - 1).version_id == passage.version_id:
            position -= 1
    text = state.passage(position).text[:_LENGTH]
    return f"{passage.title}\n{text}" if sees_title else text
