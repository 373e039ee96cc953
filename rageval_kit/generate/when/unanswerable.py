"""The reader asks the like of something that no document speaks of."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.wording import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """The exhibit's question `nowhere`; nothing where it has none."""
    del args
    exhibit = walk.pair.exhibit
    if exhibit is None or "nowhere" not in exhibit.questions:
        return
    walk.mark("unanswerable")
    walk.ask("reader", walk.pair.reader_id, Wording(exhibit.questions["nowhere"]))
