"""The author of a private document asks what others will ask, so that its answer may be kept."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk
from rageval_kit.records.faults import InputError
from rageval_kit.records.target import Power

TAKES: Mapping[str, tuple[str, ...] | None] = {"in": ("same_words", "other_order")}
NEEDS = frozenset({Power.RESTORE})


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """In another order: the last word first, or the mark at the end of the question left out."""
    exhibit = walk.pair.exhibit
    if exhibit is None or not exhibit.author_id:
        raise InputError.one(
            f"{walk.family.id}: seed_cache",
            "needs a world whose documents have an author",
            way_out="use it with the world word planted_answer",
        )
    text = walk.wording.text
    if args.get("in") == "other_order":
        head, _, last = text.rstrip("?？").rpartition(" ")
        text = f"{last} {head}" if head else text.rstrip("?？")
    walk.mark("seeded")
    asked = replace(walk.wording, text=text, question="")
    walk.ask("author", exhibit.author_id, asked, session="author")
