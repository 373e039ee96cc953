"""Somebody asks: the reader, or the twin where the script says so."""

from collections.abc import Mapping
from dataclasses import replace

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("same_words", "plain"),
    "as": ("reader", "twin", "service"),
}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    """`plain`: what the case's own wording says in other words, as it stood before."""
    role = args.get("as", "reader")
    who = {
        "reader": walk.pair.reader_id,
        "twin": walk.pair.twin_id,
        "service": walk.pair.service_id,
    }
    if role == "reader" and "before" not in walk.marks and walk.elapsed_s is None:
        walk.mark("before")
    if role != "reader":
        walk.mark(role)
    wording = walk.wording
    if args.get("is") == "plain":
        wording = replace(wording, text=wording.bare, question="")
    walk.ask(role, who[role], wording)
