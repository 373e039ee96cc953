"""Few readers, each denied several documents by whatever denies them: few worlds serve many cases.

Where the family's world shows documents of its own, they are what is hidden.
"""

from collections.abc import Mapping

import numpy as np

from rageval_kit.generate.crowds import KEEPER
from rageval_kit.generate.scene import Found, Pair, Scene, conditions_of
from rageval_kit.records.streams import stream
from rageval_kit.records.world import PrincipalKind

TAKES: Mapping[str, tuple[object, ...] | None] = {"readers": None}
READERS = 3


def find(scene: Scene, args: Mapping[str, object], limit: int, part: str) -> Found:
    """As many pairs of each reader; each with somebody who may read what is hidden."""
    del part
    wanted = int(str(args.get("readers", READERS)))
    columns = _columns(scene)
    hidden = ~scene.visible[:, scene.chunk_document[columns]]
    rows = [row for row in _people(scene) if hidden[row].any()]
    order = stream(scene.seed, "hidden", "readers").permutation(len(rows))
    pairs: list[Pair] = []
    for place, row in enumerate(rows[i] for i in order[:wanted]):
        share = -(-(limit - len(pairs)) // (min(wanted, len(rows)) - place))
        own = columns[hidden[row]]
        mixed = stream(scene.seed, "hidden", scene.readers[row]).permutation(len(own))
        found = (pair for i in mixed if (pair := _pair(scene, row, int(own[i]))))
        pairs += [pair for pair, _ in zip(found, range(share), strict=False)]
    available = int(hidden[rows].sum()) if rows else 0
    return Found(tuple(pairs), available, "" if pairs else "nothing is hidden from anybody")


def _columns(scene: Scene) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """One passage of each document in question: the first."""
    _, first = np.unique(scene.chunk_document, return_index=True)
    if scene.exhibits:
        shown = {exhibit.documents["target"] for exhibit in scene.exhibits}
        kept = [scene.document_ids[scene.chunk_document[column]] in shown for column in first]
    else:
        kept = [not barred for barred in scene.props[scene.chunk_document[first]]]
    return np.asarray(first[np.array(kept, dtype=np.bool_)], dtype=np.int64)


def _people(scene: Scene) -> list[int]:
    principals = scene.given.principals
    return [
        row
        for row, reader in enumerate(scene.readers)
        if reader != KEEPER
        and reader in principals
        and principals[reader].kind is PrincipalKind.USER
        and scene.visible[row].any()
    ]


def _pair(scene: Scene, row: int, column: int) -> Pair | None:
    reader, chunk_id = scene.readers[row], scene.chunk_ids[column]
    twin = scene.twin_of(column, salt=reader, unlike=(row,))
    sibling = scene.sibling_of(row, column)
    if twin is None or not sibling:
        return None
    document_id = scene.places[chunk_id].document.document_id
    exhibits = (e for e in scene.exhibits if e.documents["target"] == document_id)
    return Pair(
        reader,
        chunk_id,
        twin_id=scene.readers[twin],
        conditions=conditions_of(int(scene.reasons[row, column])),
        sibling_id=sibling,
        exhibit=next(exhibits, None),
    )
