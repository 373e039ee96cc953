"""A session of its own: the reader, or somebody else, asks one of the exhibit's questions in it."""

from collections.abc import Mapping

import numpy as np

from rageval_kit.generate.asking import ask_about
from rageval_kit.generate.walk import Walk
from rageval_kit.records.faults import InputError
from rageval_kit.records.streams import stream
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": None,
    "as": ("reader", "other"),
    "asks": ("topic", "clean", "trigger"),
}
WANTS = ("is",)
NEEDS = frozenset({Power.RESTORE})  # what a session leaves behind must not reach the next case


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """Each session but the script's first is marked `later`.

    `trigger` is the question that the payload waits for; where it waits for none, the clean one.
    """
    reader = walk.pair.reader_id if args.get("as", "reader") == "reader" else _other(walk)
    if walk.steps:
        walk.mark("later")
    name = args.get("asks", "clean")
    if name == "trigger":
        name = name if walk.pair.exhibit and name in walk.pair.exhibit.questions else "clean"
    ask_about(walk, "reader", reader, name, args["is"])


def _other(walk: Walk) -> str:
    """Somebody else who could read what the reader reads; never the author."""
    scene, pair = walk.scene, walk.pair
    author = pair.exhibit.author_id if pair.exhibit else ""
    rows = np.flatnonzero(scene.reasons[:, scene.columns[pair.chunk_id]] == 0)
    able = [scene.readers[row] for row in rows if row not in scene.services]
    able = [one for one in able if one not in {pair.reader_id, author}]
    if not able:
        raise InputError.one(
            f"{walk.family.id}: session",
            "wants another reader, and nobody else may read what this one may",
            pair.reader_id,
            "leave out `as: other`, or give the document a second reader",
        )
    return able[int(stream(scene.seed, "session", pair.chunk_id).integers(len(able)))]
