"""The reader whom the world's word meant may not read what it shows, for one reason alone."""

from collections.abc import Iterator, Mapping

import numpy as np

from rageval_kit.generate.exhibits import Exhibit
from rageval_kit.generate.scene import Found, Pair, Scene, bit, conditions_of
from rageval_kit.records.world import Document

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("clearance", "compartment", "no_entry", "alone")
}
CONDITIONS = {"clearance": "C3", "compartment": "C4", "no_entry": "C11"}
USUAL = frozenset(CONDITIONS.values())
ANY = frozenset(f"C{number}" for number in range(1, 15))


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """One pair for each exhibit: the first passage of its target that one condition denies.

    The exhibit's `beside` is the sibling: what the same question finds and the reader may read.
    """
    how = args.get("is", "")
    wanted = ANY if how == "alone" else frozenset({CONDITIONS[how]} if how else USUAL)
    pairs = tuple(
        pair for exhibit in scene.exhibits if (pair := _pair(scene, exhibit, wanted, part))
    )
    nothing = "" if pairs else "nothing that the world shows is barred for one such reason alone"
    return Found(pairs[:limit], len(pairs), nothing)


def _pair(scene: Scene, exhibit: Exhibit, wanted: frozenset[str], part: str) -> Pair | None:
    target = scene.world.documents.get(exhibit.documents["target"])
    readers = [reader for reader in exhibit.readers if reader in scene.rows]
    if target is None or not readers:
        return None
    row = scene.rows[readers[0]]
    for chunk_id in _barred(scene, row, target, wanted, part):
        column = scene.columns[chunk_id]
        twin = scene.twin_of(column, salt=readers[0])
        if twin is not None:
            return Pair(
                readers[0],
                chunk_id,
                twin_id=scene.readers[twin],
                conditions=conditions_of(int(scene.reasons[row, column])),
                sibling_id=_beside(scene, row, exhibit) or scene.sibling_of(row, column),
                exhibit=exhibit,
            )
    return None


def _barred(
    scene: Scene, row: int, target: Document, wanted: frozenset[str], part: str
) -> Iterator[str]:
    """Passages denied by one of the conditions alone; of a whole document, only if none is not."""
    ids = [chunk.chunk_id for version in target.versions for chunk in version.chunks]
    reasons = scene.reasons[row, [scene.columns[one] for one in ids]]
    if part == "document" and not np.all(reasons):
        return
    alone = {bit(condition) for condition in wanted}
    yield from (one for one, why in zip(ids, reasons.tolist(), strict=True) if why in alone)


def _beside(scene: Scene, row: int, exhibit: Exhibit) -> str:
    document = scene.world.documents.get(exhibit.documents.get("beside", ""))
    passages = (c.chunk_id for v in (document.versions if document else ()) for c in v.chunks)
    return next((one for one in passages if not scene.reasons[row, scene.columns[one]]), "")
