"""Which turns of a conversation may somebody be told now?"""

from collections.abc import Sequence

from rageval_kit.records.target import Seen
from rageval_kit.system.faults_unseen_a import UnseenFaultA
from rageval_kit.system.visit import Turn, Visit


def told(turns: Sequence[Turn], visit: Visit, *, checked: bool = True) -> Seen:
    """Those of whose sources the caller may read every one today; a turn is left out whole."""
    enough = any if visit.fault is UnseenFaultA.TURN_SHOWN_BY_ANY_SOURCE else all
    kept = [
        turn
        for turn in turns
        if not checked or not turn.sources or enough(map(visit.may_read, turn.sources))
    ]
    return Seen(
        ids=tuple(dict.fromkeys(source for turn in kept for source in turn.sources)),
        texts=tuple(f"{turn.question}\n{turn.answer}" for turn in kept),
    )
