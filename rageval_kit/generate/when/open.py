"""The reader resolves a handle: a citation, a share link, an attachment, or a guess at an id."""

from collections.abc import Mapping
from datetime import timedelta

from rageval_kit.generate.handles import UNKNOWN, handle_of
from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("link", "attachment", "citation"),
    "as_of": ("answer",),
    "guess": ("exact_id", "encoded", "base64", "padded", "document_id", "no_such_part"),
}
JUST_BEFORE = timedelta(seconds=1)  # the answer was given, and then the event happened


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    if walk.elapsed_s is None and walk.pair.event:
        walk.mark("before")
    else:
        walk.mark("opened")
    as_of = walk.scene.world.clock - JUST_BEFORE if "as_of" in args else None
    walk.resolve("reader", walk.pair.reader_id, handle_of(walk, args), as_of)
    contrast = walk.family.contrast
    if contrast and contrast.name == "unknown_id" and walk.marks.get("opened"):
        prefix = "link:" if args.get("is") == "link" else ""
        walk.mark("contrast")
        walk.resolve("contrast", walk.pair.reader_id, f"{prefix}{UNKNOWN}")
