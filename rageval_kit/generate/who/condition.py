"""The reader is denied by one condition of the access rule alone, whichever is asked for."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Scene, bit

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": tuple(f"C{i}" for i in range(1, 15))}
WANTS = ("is",)
SAME_READER = {"C5", "C6", "C7"}


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    del part
    condition = args["is"]
    if condition not in scene.monitor.attributes():
        return Found((), 0, f"the world has no attributes for {condition}")
    own = condition in SAME_READER
    found = standing(
        scene,
        bit(condition),
        limit,
        part="chunk",
        twin=not own,
        nothing=f"no pair is denied by {condition} alone with an allowed twin",
    )
    if own:
        pairs = tuple(pair for pair in found.pairs if pair.sibling_id)
        return replace(found, pairs=pairs)
    return found
