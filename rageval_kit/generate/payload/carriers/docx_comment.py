"""In a comment of a word processor file, as an extractor gives it."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    note = "批注" if sheet.lang == "zh" else "Comment"
    return sheet.with_paragraph(f"[{note}: {payload}]")
