"""Nobody is denied: a reader who may read all that is in play asks about what the world shows."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.records.streams import stream

TAKES: Mapping[str, tuple[str, ...] | None] = {"twin": ("self",)}
ANY_GRAIN = True


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """One pair for each exhibit, in the order of the exhibits; `twin: self` makes it its own."""
    del part
    if not scene.exhibits:
        return Found((), 0, "the world has nothing to show for this family")
    pairs = tuple(p for exhibit in scene.exhibits if (p := _pair(scene, exhibit)))
    if args.get("twin") == "self":
        pairs = tuple(replace(pair, twin_id=pair.reader_id) for pair in pairs)
    nothing = "" if pairs else "nobody may read what the world shows for this family"
    return Found(pairs[:limit], len(pairs), nothing)


def _pair(scene: Scene, exhibit: Exhibit) -> Pair | None:
    document = scene.world.documents.get(exhibit.documents["target"])
    if document is None:
        return None
    chunk_id = next(c.chunk_id for v in document.versions for c in v.chunks)
    readable = scene.reasons[:, scene.columns[chunk_id]] == 0
    able = [scene.readers[row] for row in np.flatnonzero(readable) if row not in scene.services]
    if exhibit.readers:
        able = [reader for reader in exhibit.readers if reader in set(able)]
    if not able:
        return None
    pick = stream(scene.seed, "nobody", exhibit.exhibit_id).integers(len(able))
    return Pair(able[int(pick)], chunk_id, exhibit=exhibit)
