"""Which turns of a conversation may somebody be told now?"""

from collections.abc import Sequence

from rageval_kit.records.target import Seen
from rageval_kit.system.visit import Turn, Visit


def told(turns: Sequence[Turn], visit: Visit, *, checked: bool = True) -> Seen:
    """Those of whose sources the caller may read every one today; a turn is left out whole."""
    kept = [
        turn
        for turn in turns
        if not checked or all(visit.may_read(source) for source in turn.sources)
    ]
    return Seen(
        ids=tuple(dict.fromkeys(source for turn in kept for source in turn.sources)),
        texts=tuple(f"{turn.question}\n{turn.answer}" for turn in kept),
    )
