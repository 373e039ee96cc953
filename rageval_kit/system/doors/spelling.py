"""What may have been meant by a word with a slip in it, of what one may see?"""

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.faults_doors import DoorFault
from rageval_kit.system.visit import Visit
from rageval_kit.text.normalise import fold

_MOST = 5


def show(text: str, visit: Visit) -> dict[Stage, Seen]:
    visible = visit.visible
    words, titles = (
        (None, None)
        if visit.fault is DoorFault.SPELLS_FROM_ALL
        else (visible.passages, visible.titles)
    )
    near = visit.desk.terms(visit.state).near(fold(text.strip()), words, titles)
    return {Stage.SUGGEST: Seen(texts=tuple(near[:_MOST]))}
