"""By the id of the target, with its title: how people paste a reference."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.walk import Wording

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    place = scene.places[pair.chunk_id]
    return Wording(f"{place.document.document_id} {place.version.title}")
