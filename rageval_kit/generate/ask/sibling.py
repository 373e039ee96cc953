"""By what a document that the reader may read is about: its title."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import title_of

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording | None:
    del args
    return Wording(title_of(scene, pair.sibling_id)) if pair.sibling_id else None
