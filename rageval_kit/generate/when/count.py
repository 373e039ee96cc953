"""The reader asks how many documents hold a word of the target."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.words import rare_word

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    del args
    word = rare_word(walk.scene, walk.pair.chunk_id)
    walk.mark("counted")
    walk.count("reader", walk.pair.reader_id, word)
