"""By the id of the target, with its title: how people paste a reference."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import title_of

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    document_id = scene.places[pair.chunk_id].document.document_id
    return Wording(f"{document_id} {title_of(scene, pair.chunk_id)}")
