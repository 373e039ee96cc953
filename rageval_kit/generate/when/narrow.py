"""Harmless questions about one thing in one conversation, each leaving less that it could be."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[object, ...] | None] = {"is": None}
WANTS = ("is",)


def emit(walk: Walk, args: Mapping[str, object]) -> None:
    """The first so many of the exhibit's, in the session in which the question itself is asked."""
    exhibit = walk.pair.exhibit
    questions = exhibit.questions if exhibit else {}
    for number in range(1, int(str(args["is"])) + 1):
        if text := questions.get(f"narrow.{number}"):
            asked = replace(walk.wording, text=text)
            walk.ask("reader", walk.pair.reader_id, asked, session="reader")
