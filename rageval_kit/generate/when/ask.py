"""Somebody asks: the reader, or the twin where the script says so."""

from collections.abc import Mapping

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("same_words",),
    "as": ("reader", "twin", "service"),
}


def emit(walk: Walk, args: Mapping[str, str]) -> None:
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
    walk.ask(role, who[role], walk.wording)
