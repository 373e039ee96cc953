"""By a sentence of what the reader may read beside the target."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import quotation

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    del args
    return Wording(quotation(scene, pair.sibling_id)) if pair.sibling_id else None
