"""The reader belongs to another tenant (C2)."""

from collections.abc import Mapping

from rageval_kit.generate.cells import Among
from rageval_kit.generate.pairs import NO_MATCH, standing
from rageval_kit.generate.scene import Found, Scene, bit, bits

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Where the world has one tenant only, the planted people of others stand outside it."""
    del args
    several = len(scene.given.tenants) > 1
    if not several and not scene.extras:
        return Found((), 0, "the world has one tenant")
    allowed = NO_MATCH | bits("C3", "C4") if part == "document" else NO_MATCH
    among = Among.OWN if several else Among.OUTSIDERS
    nothing = "no such pair in this world" if several else "the world has one tenant"
    return standing(
        scene, bit("C2"), limit, allowed=allowed, part=part, among=among, nothing=nothing
    )
