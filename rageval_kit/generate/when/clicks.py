"""Others open, several times, what the reader may read too, and what is hidden from the reader."""

from collections.abc import Mapping

import numpy as np

from rageval_kit.generate.walk import Walk
from rageval_kit.records.streams import stream

TAKES: Mapping[str, tuple[object, ...] | None] = {"times": None}
WANTS = ("times",)


def abilities(args: Mapping[str, object]) -> frozenset[str]:
    del args
    return frozenset({"open"})


def emit(walk: Walk, args: Mapping[str, object]) -> None:
    pair = walk.pair
    opened = [(pair.twin_id, pair.chunk_id), (_other_reader(walk), pair.sibling_id)]
    for _ in range(int(str(args["times"]))):
        for who, chunk_id in opened:
            if who and chunk_id:
                walk.resolve("other", who, min(walk.ids_of(chunk_id)))


def _other_reader(walk: Walk) -> str:
    """Somebody else who may read the sibling."""
    scene, pair = walk.scene, walk.pair
    if not pair.sibling_id:
        return ""
    able = np.flatnonzero(scene.reasons[:, scene.columns[pair.sibling_id]] == 0)
    others = [name for row in able if (name := scene.readers[row]) != pair.reader_id]
    if not others:
        return ""
    return others[int(stream(scene.seed, "clicks", pair.sibling_id).integers(len(others)))]
