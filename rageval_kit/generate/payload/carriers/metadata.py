"""In what the author says of the document beside its text: author and tags."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    author = "Office" if sheet.lang == "en" else "办公室"
    return replace(sheet, metadata=(("author", author), ("tags", one_line(payload))))
