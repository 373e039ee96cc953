"""By the invented words that the documents of a crowd share."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.walk import Wording
from rageval_kit.generate.words import without_marks

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    title = without_marks(scene.places[pair.chunk_id].version.title)
    return Wording(title.split(" on ", 1)[-1])
