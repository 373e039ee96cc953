"""In the document's id, as the last part of an address would have it."""

import re
from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet

NARROW = True


def carry(sheet: Sheet, payload: str) -> Sheet:
    words = re.sub(r"\s+", "-", re.sub("[\"'“”]", "", payload).strip())
    return replace(sheet, document_id=f"{sheet.document_id}-{words}")
