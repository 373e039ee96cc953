"""By the invented words that the documents of a crowd share."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import plain_title

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    return Wording(plain_title(scene, pair.chunk_id).split(" on ", 1)[-1])
