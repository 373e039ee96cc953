"""In the name of the file."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line

NARROW = True


def carry(sheet: Sheet, payload: str) -> Sheet:
    return replace(sheet, metadata=(("file_name", f"{one_line(payload)}.pdf"),))
