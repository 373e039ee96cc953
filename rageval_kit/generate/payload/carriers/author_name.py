"""In the name of the author."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    return replace(sheet, metadata=(("author", one_line(payload)),))
