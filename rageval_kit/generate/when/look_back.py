"""The reader asks about the time of the target's first version."""

from collections.abc import Mapping
from datetime import timedelta

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}
JUST_BEFORE = timedelta(seconds=1)


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Just before it ends; of a document none of whose versions has ended, about now."""
    del args
    versions = walk.scene.places[walk.pair.chunk_id].document.versions
    ends = [version.valid_to for version in versions if version.valid_to is not None]
    instant = min(ends) - JUST_BEFORE if ends else None
    walk.ask("reader", walk.pair.reader_id, walk.about(instant), session="back")
