"""A target and a permitted sibling: found in the world, nothing to plant."""

from collections.abc import Mapping

from rageval_kit.generate.planting import Planting
from rageval_kit.records.world import World

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def plant(world: World, args: Mapping[str, str], seed: int) -> Planting:
    del world, args, seed
    return Planting()
