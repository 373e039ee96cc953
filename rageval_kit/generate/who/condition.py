"""The reader is denied by one condition of the access rule alone, whichever is asked for."""

from collections.abc import Mapping

from rageval_kit.generate.alone import OWN, PART, brought_about
from rageval_kit.generate.pairs import standing
from rageval_kit.generate.scene import Found, Scene, bit

TAKES: Mapping[str, tuple[str, ...] | None] = {"is": tuple(f"C{i}" for i in range(1, 15))}
WANTS = ("is",)
ANY_GRAIN = True  # the target is as fine as the target's ids are


def find(scene: Scene, args: Mapping[str, str], limit: int, part: str) -> Found:
    """Pairs as the world stands; where there are none, pairs brought about in a laboratory.

    A condition that denies nobody anything in this world, and cannot be made to, has nothing to
    show: not applicable. One that denies only beside others is a gap in the coverage.
    """
    del part
    condition = args["is"]
    if condition not in scene.attributes:
        return Found((), 0, f"the world has no attributes for {condition}")
    found = standing(
        scene,
        bit(condition),
        limit,
        part=PART[scene.grain],
        twin=condition not in OWN,
        nothing=f"no pair is denied by {condition} alone with an allowed twin",
    )
    if found.pairs:
        return found
    brought = brought_about(scene, condition, limit)
    if brought.pairs:
        return brought
    if not scene.denies(bit(condition)):
        nothing = f"the world has no attributes for {condition} that deny anybody anything"
        return Found((), 0, nothing)
    return found
