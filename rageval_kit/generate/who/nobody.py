"""Nobody is denied: a reader who may read all that is in play asks about what the world shows."""

from collections.abc import Mapping

import numpy as np

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Found, Pair, Scene
from rageval_kit.records.streams import stream

TAKES: Mapping[str, tuple[str, ...] | None] = {"twin": ("another",)}
ANY_GRAIN = True


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """One pair for each exhibit, in their order; `twin: another`: beside somebody else who may."""
    del part
    if not scene.exhibits:
        return Found((), 0, "the world has nothing to show for this family")
    beside = "twin" in args
    pairs = tuple(p for exhibit in scene.exhibits if (p := _pair(scene, exhibit, beside=beside)))
    nothing = "" if pairs else "nobody may read what the world shows for this family"
    return Found(pairs[:limit], len(pairs), nothing)


def _pair(scene: Scene, exhibit: Exhibit, *, beside: bool) -> Pair | None:
    chunk_id = scene.passage_of(exhibit)
    if not chunk_id:
        return None
    readable = scene.reasons[:, scene.columns[chunk_id]] == 0
    able = [scene.readers[row] for row in np.flatnonzero(readable) if row not in scene.services]
    if exhibit.readers:
        able = [reader for reader in exhibit.readers if reader in set(able)]
    if len(able) <= beside:
        return None
    pick = int(stream(scene.seed, "nobody", exhibit.exhibit_id).integers(len(able)))
    twin_id = able[pick - 1] if beside else ""
    return Pair(able[pick], chunk_id, twin_id=twin_id, exhibit=exhibit)
