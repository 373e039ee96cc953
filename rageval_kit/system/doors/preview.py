"""What shows beside a result: the title, where it may be seen, and the beginning of the passage?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.names import exact_id
from rageval_kit.system.opening import FOUND, NOT_FOUND
from rageval_kit.system.previews import preview
from rageval_kit.system.visit import Visit


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    """A handle that is unknown and one that is forbidden look the same."""
    handle = exact_id(text)
    if not visit.may_read(handle):
        return {Stage.CITATION: Seen(status=NOT_FOUND)}
    shown = preview(handle, visit, is_first=visit.fault is DoorFault.PREVIEW_OF_FIRST_PASSAGE)
    return {Stage.CITATION: Seen((handle,), (shown,), status=FOUND)}
