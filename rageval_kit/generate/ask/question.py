"""By the exhibit's own question; of a document of the corpus, by the title of what must come."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import exhibit_question

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    return Wording(exhibit_question(scene, pair))
