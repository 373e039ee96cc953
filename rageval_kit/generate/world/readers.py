"""Several readers, each of whom may read what others may not: found in the world."""

from collections.abc import Mapping

from rageval_kit.generate.planting import Planting
from rageval_kit.records.world import World

TAKES: Mapping[str, tuple[object, ...] | None] = {"n": None}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    del world, args, seed
    return Planting()
