"""How do several handles, one a line, look in one call?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, NOT_FOUND
from rageval_kit.system.previews import preview
from rageval_kit.system.visit import Visit

_CHECKED = 3


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """Each handle is authorised by itself; what may not be read is left out, as the unknown is."""
    handles = [exact_id(line) for line in text.splitlines() if line.strip()]
    may = [handle for handle in handles if visit.may_read(handle)]
    known = [handle for handle in handles if visit.state.position(handle) is not None]
    if visit.fault is DoorFault.BATCH_CHECKS_FIRST and may[:1] == handles[:1]:
        may = known
    if visit.fault is DoorFault.BATCH_CHECKS_THREE and may[:_CHECKED] == handles[:_CHECKED]:
        may = known
    texts = tuple(preview(handle, visit) for handle in may)
    return {Stage.CITATION: Seen(tuple(may), texts, status=FOUND if may else NOT_FOUND)}
