"""In an HTML comment, which no browser shows."""

from rageval_kit.generate.payload.sheet import Sheet

HIDES = True


def carry(sheet: Sheet, payload: str) -> Sheet:
    return sheet.with_paragraph(f"<!-- {payload} -->")
