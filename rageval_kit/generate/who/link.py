"""Access came from a share link that is over, or that belongs to another tenant (C14, C2)."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from rageval_kit.generate.cells import Place
from rageval_kit.generate.pairs import count_unentitled, staged, standing, unentitled
from rageval_kit.generate.scene import Found, Pair, Scene, bit
from rageval_kit.generate.shared_links import LIFE, link_for, shared_by
from rageval_kit.records.changes import (
    Change,
    OpenLink,
    RevokeLink,
    SetClock,
)

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("expired", "revoked", "foreign_token", "never_opened"),
}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    how = args.get("is", "expired")
    if how == "never_opened":
        return standing(scene, bit("C14"), limit, part=part, nothing="no share link is unopened")
    if how == "foreign_token":
        return _foreign(scene, limit, part)
    now = scene.world.clock

    def script(reader: str, place: Place, _: str) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
        link = link_for(scene, place, reader)
        setup = (*shared_by(place, link), OpenLink(link.link_id, reader, now - timedelta(hours=1)))
        if how == "revoked":
            return setup, (RevokeLink(link.link_id, now),)
        return setup, (SetClock(now + LIFE),)

    found = staged(
        scene, unentitled(scene), script, "C14", limit, available=count_unentitled(scene)
    )
    return replace(found, pairs=tuple(_with_link(scene, pair) for pair in found.pairs))


def _foreign(scene: Scene, limit: int, part: str) -> Found:
    found = standing(
        scene, bit("C2"), limit, allowed=bit("C11"), part=part, nothing="there is one tenant only"
    )
    pairs = []
    for pair in found.pairs:
        place = scene.places[pair.chunk_id]
        link = link_for(scene, place, pair.reader_id)
        opened = OpenLink(link.link_id, pair.twin_id, scene.world.clock - timedelta(hours=1))
        pairs.append(replace(pair, setup=(*shared_by(place, link), opened), link_id=link.link_id))
    return replace(found, pairs=tuple(pairs))


def _with_link(scene: Scene, pair: Pair) -> Pair:
    return replace(
        pair, link_id=link_for(scene, scene.places[pair.chunk_id], pair.reader_id).link_id
    )
