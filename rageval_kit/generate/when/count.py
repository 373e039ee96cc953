"""The reader asks how many documents hold a word of the target."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk
from rageval_kit.generate.words import rare_word

TAKES: Mapping[str, tuple[str, ...] | None] = {"after": ("nobody", "twin")}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """`after: twin`: somebody who may read it has just counted the same."""
    word = rare_word(walk.scene, walk.pair.chunk_id)
    if args.get("after") == "twin" and walk.pair.twin_id:
        walk.count("earlier", walk.pair.twin_id, word)
    walk.mark("counted")
    walk.count("reader", walk.pair.reader_id, word)
