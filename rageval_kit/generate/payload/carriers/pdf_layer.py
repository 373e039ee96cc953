"""In an invisible layer of a page, which an extractor gives like any other line."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    return sheet.with_paragraph(payload)
