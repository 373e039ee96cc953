"""The reader asks with every sentence that the world holds or might hold, one after the other."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.records.streams import python_stream

TAKES: Mapping[str, tuple[str, ...] | None] = {}
KINDS = ("held", "absent")


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Each in a session of its own, in an order drawn by the seed."""
    del args
    questions = walk.pair.exhibit.questions if walk.pair.exhibit else {}
    names = [name for name in questions if name.partition(".")[0] in KINDS]
    python_stream(walk.scene.seed, "probes", walk.pair.reader_id).shuffle(names)
    for name in names:
        walk.mark(name.partition(".")[0])
        wording = replace(walk.wording, text=questions[name])
        walk.ask("reader", walk.pair.reader_id, wording, session=f"probe-{name}")
