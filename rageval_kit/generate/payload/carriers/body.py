"""In the text, as a paragraph of its own."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    return sheet.with_paragraph(payload)
