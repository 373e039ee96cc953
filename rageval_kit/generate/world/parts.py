"""A document with parts whose label is their own: attachments, found in the world."""

from collections.abc import Mapping

from rageval_kit.generate.planting import Planting
from rageval_kit.records.world import World

TAKES: Mapping[str, tuple[str, ...] | None] = {"kind": ("file",)}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    del world, args, seed
    return Planting()
