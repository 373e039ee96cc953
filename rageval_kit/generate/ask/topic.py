"""By topic: the target's rarest words with the words of its title."""

from collections.abc import Mapping

from rageval_kit.generate.scene import Pair, Scene
from rageval_kit.generate.wording import Wording
from rageval_kit.generate.words import plain_title, rare_words

TAKES: Mapping[str, tuple[str, ...] | None] = {}
WORDS = 8


def query(scene: Scene, pair: Pair, args: Mapping[str, str]) -> Wording:
    del args
    title = plain_title(scene, pair.chunk_id)
    return Wording(" ".join((title, *rare_words(scene, pair.chunk_id, WORDS))))
