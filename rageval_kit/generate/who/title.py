"""The reader may read one passage of a document, and neither its title nor the rest (C3)."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

import numpy as np

from rageval_kit.generate.scene import Found, Pair, Scene, bit, conditions_of
from rageval_kit.generate.shared_links import link_for, shared_by
from rageval_kit.generate.titles import TITLED, passages_of
from rageval_kit.records.streams import stream

TAKES: Mapping[str, tuple[str, ...] | None] = {"behind": ("link",)}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Of the documents planted for it each with other readers by turns.

    `behind: link`: the document is shared by a link as well, which makes nobody's rights more.
    """
    del part
    planted = [d for d in scene.document_ids if d.startswith(TITLED)]
    by_document = [_pairs(scene, document_id) for document_id in planted]
    turns = [pair for rank in zip(*by_document, strict=False) for pair in rank]
    if args.get("behind"):
        turns = [_linked(scene, pair) for pair in turns]
    pairs = tuple(islice(turns, limit))
    nothing = "" if pairs else "no two labels divide a document from one of its passages"
    return Found(pairs, sum(map(len, by_document)), nothing)


def _pairs(scene: Scene, document_id: str) -> list[Pair]:
    hidden, shown = passages_of(document_id)
    column = scene.columns[hidden]
    reasons = scene.reasons[:, column]
    able = (scene.reasons[:, scene.columns[shown]] == 0) & (reasons == bit("C3"))
    rows = [row for row in np.flatnonzero(able).tolist() if row not in scene.services]
    order = stream(scene.seed, "title", document_id).permutation(len(rows))
    found = []
    for row in (rows[n] for n in order):
        twin = scene.twin_of(column, salt=scene.readers[row])
        if twin is None:
            continue
        found.append(
            Pair(
                scene.readers[row],
                hidden,
                twin_id=scene.readers[twin],
                conditions=conditions_of(int(reasons[row])),
                sibling_id=shown,
            )
        )
    return found


def _linked(scene: Scene, pair: Pair) -> Pair:
    place = scene.places[pair.chunk_id]
    link = link_for(scene, place, pair.reader_id)
    return replace(pair, setup=shared_by(place, link), link_id=link.link_id)
