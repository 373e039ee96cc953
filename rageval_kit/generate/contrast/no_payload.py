"""With a clean copy: a document of the same make without a payload, asked about by its reader."""

from collections.abc import Mapping

from rageval_kit.generate.asking import ask_about
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {}


def prepare(walk: Walk, args: Mapping[str, str]) -> None:
    """After the script, in a session that nothing else was said in."""
    del args
    walk.mark("contrast")
    ask_about(walk, "clean", walk.pair.reader_id, "clean", "clean")
