"""In what a tool gave back, kept as a passage of its own kind."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet

ASKS = {"en": "Look up: ", "zh": "查询："}  # what makes a system call the tool at all


def carry(sheet: Sheet, payload: str) -> Sheet:
    return replace(sheet.with_paragraph(payload), kind="tool_output")
