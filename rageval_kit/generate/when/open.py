"""The reader resolves a handle: a citation, a share link, an attachment, or a guess at an id."""

import base64
from collections.abc import Mapping
from urllib.parse import quote

from rageval_kit.generate.walk import Walk

TAKES: Mapping[str, tuple[str, ...] | None] = {
    "is": ("link", "attachment", "citation"),
    "guess": ("exact_id", "encoded", "base64", "padded"),
}
UNKNOWN = "kit-no-such-handle"


def handle_of(walk: Walk, args: Mapping[str, str]) -> str:
    """The handle as the reader types it: the target's own, or a re-spelt guess at it."""
    if args.get("is") == "link":
        return f"link:{walk.pair.link_id}"
    (*_, first) = sorted(walk.ids_of(walk.pair.chunk_id) & {walk.pair.chunk_id}) or sorted(
        walk.roles["target"]
    )
    guess = args.get("guess", "exact_id")
    if guess == "encoded":
        return quote(first, safe="")
    if guess == "base64":
        return base64.b64encode(first.encode()).decode()
    return f" {first} " if guess == "padded" else first


def emit(walk: Walk, args: Mapping[str, str]) -> None:
    if walk.elapsed_s is None and walk.pair.event:
        walk.mark("before")
    else:
        walk.mark("opened")
    walk.resolve("reader", walk.pair.reader_id, handle_of(walk, args))
    if walk.family.contrast and walk.marks.get("opened"):
        prefix = "link:" if args.get("is") == "link" else ""
        walk.mark("contrast")
        walk.resolve("contrast", walk.pair.reader_id, f"{prefix}{UNKNOWN}")
