"""In the title, after what the document is about."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    return replace(sheet, title=f"{sheet.title} - {one_line(payload)}")
