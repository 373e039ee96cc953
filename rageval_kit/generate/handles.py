"""How does a reader spell the handle of what it wants to open?"""

import base64
from collections.abc import Mapping
from urllib.parse import quote

from rageval_kit.generate.walk import Walk

NO_PART = 9999
UNKNOWN = "kit-no-such-handle"


def handle_of(walk: Walk, args: Mapping[str, str]) -> str:
    """The handle as the reader types it: the target's own, or a re-spelt guess at it."""
    if args.get("is") == "link":
        return f"link:{walk.pair.link_id}"
    (*_, first) = sorted(walk.ids_of(walk.pair.chunk_id) & {walk.pair.chunk_id}) or sorted(
        walk.roles["target"]
    )
    guess = args.get("guess", "exact_id")
    if guess == "document_id":
        return walk.scene.places[walk.pair.chunk_id].document.document_id
    if guess == "no_such_part":
        return f"{first.partition('#')[0]}#{NO_PART}"
    if guess == "encoded":
        return quote(first, safe="")
    if guess == "base64":
        return base64.b64encode(first.encode()).decode()
    return f" {first} " if guess == "padded" else first
