"""Who may not read what the words of `world` show, and who may?"""

import numpy as np

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Found, Pair, Scene, conditions_of
from rageval_kit.records.streams import stream


def exhibited(scene: Scene, required: int, limit: int) -> Found:
    """One pair for each exhibit, in their order: its target, and a reader denied by that alone."""
    pairs = tuple(p for exhibit in scene.exhibits if (p := _pair(scene, exhibit, required)))
    nothing = "" if pairs else "nobody is denied what the world shows for this family"
    return Found(pairs[:limit], len(pairs), nothing)


def _pair(scene: Scene, exhibit: Exhibit, required: int) -> Pair | None:
    chunk_id = scene.passage_of(exhibit)
    if not chunk_id:
        return None
    column = scene.columns[chunk_id]
    denied = [int(row) for row in np.flatnonzero(scene.reasons[:, column] == required)]
    if exhibit.readers:
        denied = [row for row in denied if scene.readers[row] in exhibit.readers]
    else:
        denied = [row for row in denied if row not in scene.services | scene.extras]
    twin = scene.twin_of(column, salt=exhibit.exhibit_id)
    if not denied or twin is None:
        return None
    pick = stream(scene.seed, "exhibited", exhibit.exhibit_id).integers(len(denied))
    return Pair(
        scene.readers[denied[int(pick)]],
        chunk_id,
        twin_id=scene.readers[twin],
        conditions=conditions_of(required),
        exhibit=exhibit,
    )
