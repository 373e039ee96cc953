"""By topic: the target's rarest words with the words of its title."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.walk import Wording
from rageval_kit.generate.words import rare_words, without_marks

TAKES: Mapping[str, tuple[str, ...] | None] = {}
WORDS = 8


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    place = scene.places[pair.chunk_id]
    return Wording(
        " ".join((without_marks(place.version.title), *rare_words(scene, pair.chunk_id, WORDS)))
    )
