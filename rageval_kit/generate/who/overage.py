"""Somebody is in very many groups; the last of them denies (C9), or would have allowed (C11).

Both are planted by the word `groups` of `world`: who reads and who may, in that order.
"""

from collections.abc import Mapping

from rageval_kit.generate.scene import Found, Pair, Scene

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args, part
    pairs: list[Pair] = []
    for exhibit in scene.exhibits:
        chunk_id = scene.passage_of(exhibit)
        if not chunk_id:
            continue
        reader_id, twin_id = exhibit.readers
        conditions = scene.reasons_after((), reader_id, chunk_id)
        if conditions:
            pairs.append(Pair(reader_id, chunk_id, twin_id, conditions=conditions, exhibit=exhibit))
    return Found(tuple(pairs[:limit]), len(pairs), "" if pairs else "no groups were planted")
