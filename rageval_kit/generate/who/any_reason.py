"""Every document once, asked for by somebody who may see nothing of it, whatever the reason."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from rageval_kit.generate.scene import Found, Pair, Scene, conditions_of
from rageval_kit.records.streams import stream

TAKES: Mapping[str, tuple[str, ...] | None] = {}
ANY = 0b11111111111111  # C1 to C14


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Documents in an order in which folders take turns; each goes to whoever had fewest."""
    del args
    denied: dict[int, list[tuple[int, int]]] = {}
    for row, column in scene.denied(0, ANY, part=part, alone_first=False):
        if scene.reasons[row, column]:
            denied.setdefault(int(scene.chunk_document[column]), []).append((row, column))
    asked: Counter[int] = Counter()
    pairs: list[Pair] = []
    for document in _in_turn(scene, list(denied)):
        if len(pairs) >= limit:
            break
        # The cells come in seeded order, and the sort keeps it: ties go to chance, not to names.
        for row, column in sorted(denied[document], key=lambda cell: asked[cell[0]]):
            if pair := _pair(scene, row, column):
                asked[row] += 1
                pairs.append(pair)
                break
    available = sum(map(len, denied.values()))
    return Found(tuple(pairs), available, "" if pairs else "everybody here may read everything")


def _in_turn(scene: Scene, documents: list[int]) -> list[int]:
    """The first of every folder, then the second of each, and so on; each lot in seeded order."""
    order = stream(scene.seed, "every document").permutation(np.sort(documents))
    seen: Counter[str | None] = Counter()
    turns: list[tuple[int, int]] = []
    for document in order.tolist():
        folder = scene.world.documents[scene.document_ids[document]].folder_id
        turns.append((seen[folder], document))
        seen[folder] += 1
    return [document for _, document in sorted(turns, key=lambda turn: turn[0])]


def _pair(scene: Scene, row: int, column: int) -> Pair | None:
    reader = scene.readers[row]
    twin = scene.twin_of(column, salt=reader)
    sibling = scene.sibling_of(row, column)
    if twin is None and not sibling:
        return None  # nothing could show that the target lives
    return Pair(
        reader,
        scene.chunk_ids[column],
        twin_id="" if twin is None else scene.readers[twin],
        conditions=conditions_of(int(scene.reasons[row, column])),
        sibling_id=sibling,
    )
