"""In the notes under a slide, as an extractor gives them."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    note = "备注" if sheet.lang == "zh" else "Notes"
    return sheet.with_paragraph(f"{note}:\n{payload}")
