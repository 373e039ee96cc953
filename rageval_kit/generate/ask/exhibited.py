"""By what the exhibit asks, as it stands."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    del scene, args
    return Wording(pair.exhibit.questions["topic"]) if pair.exhibit else None
