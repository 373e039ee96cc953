"""The reader belongs to another tenant (C2)."""

from collections.abc import Mapping

from rageval_kit.generate.pairs import NO_MATCH, standing
from rageval_kit.generate.scene import Found, Scene, bit, bits

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del args
    if len(scene.world.tenants) < 2:  # noqa: PLR2004 - another tenant needs two
        return Found((), 0, "the world has one tenant")
    allowed = NO_MATCH | bits("C3", "C4") if part == "document" else NO_MATCH
    return standing(scene, bit("C2"), limit, allowed=allowed, part=part)
