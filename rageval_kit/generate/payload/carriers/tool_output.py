"""In what a tool gave back, kept as a passage of its own kind."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    return replace(sheet.with_paragraph(payload), kind="tool_output")
