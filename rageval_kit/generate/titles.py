"""By which ids are planted documents known of which one passage is read more widely?"""

TITLED = "kit-titled-"
HIDDEN, OPEN = "1", "2"  # the hidden passage stands first, as a cover page does


def passages_of(document_id: str) -> tuple[str, str]:
    """The hidden passage, which is read like the title, and the open one."""
    return f"{document_id}@1#{HIDDEN}", f"{document_id}@1#{OPEN}"
