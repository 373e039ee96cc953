"""Beside a bare address that a program would turn into a link."""

from rageval_kit.generate.payload.sheet import Sheet


def carry(sheet: Sheet, payload: str) -> Sheet:
    link = f" <https://{sheet.host}/plan>"
    return sheet.with_link(link).with_paragraph(payload)
