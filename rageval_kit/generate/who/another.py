"""The document is another reader's own: each asks for what the next one alone may read (C11)."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Found, Pair, Scene, conditions_of

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """In the order of the exhibits, each of which names who may read it."""
    del args, part
    own = [
        (exhibit.readers[0], chunk_id)
        for exhibit in scene.exhibits
        if exhibit.readers and (chunk_id := scene.passage_of(exhibit))
    ]
    rows, pairs = scene.rows, []
    for number, (reader, _) in enumerate(own):
        owner, chunk_id = own[(number + 1) % len(own)]
        if owner == reader or reader not in rows or owner not in rows:
            continue
        reasons = int(scene.reasons[rows[reader], scene.columns[chunk_id]])
        if reasons:
            pairs.append(Pair(reader, chunk_id, twin_id=owner, conditions=conditions_of(reasons)))
    nothing = "" if pairs else "no reader here has a document of its own"
    return Found(tuple(pairs[:limit]), len(pairs), nothing)
