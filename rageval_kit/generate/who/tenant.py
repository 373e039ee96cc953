"""The reader belongs to another tenant (C2)."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.alone import by_granting
from rageval_kit.generate.cells import Among
from rageval_kit.generate.pairs import NO_MATCH, standing
from rageval_kit.generate.scene import Found, Scene, bit, bits
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Where the world has one tenant only, the planted people of others stand outside it.

    Who is of another tenant mostly has no entry either, so that a system without a check of tenants
    would pass. Where no pair is denied by the tenant alone, half of them get an entry by name.
    """
    del args
    several = len(scene.given.tenants) > 1
    if not several and not scene.extras:
        return Found((), 0, "the world has one tenant")
    allowed = NO_MATCH | bits("C3", "C4") if part == "document" else NO_MATCH
    among = Among.OUTSIDERS if scene.among is Among.OWN and not several else scene.among
    nothing = "no such pair in this world" if several else "the world has one tenant"
    found = standing(
        scene, bit("C2"), limit, allowed=allowed, part=part, among=among, nothing=nothing
    )
    alone = any(pair.conditions == ("C2",) for pair in found.pairs)
    if alone or not scene.has(Power.MUTATE, Power.RESTORE):
        return found
    entitled = by_granting(scene, "C2", (limit + 1) // 2, among).pairs
    taken = {(pair.reader_id, pair.chunk_id) for pair in entitled}
    others = (pair for pair in found.pairs if (pair.reader_id, pair.chunk_id) not in taken)
    return replace(found, pairs=(*entitled, *others)[:limit])
