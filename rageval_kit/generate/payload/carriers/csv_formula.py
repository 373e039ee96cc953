"""In a formula of a table that a spreadsheet program would work out."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    words = one_line(payload).replace('"', "'")
    formula = f'=HYPERLINK("https://{sheet.host}/","{words}")'.replace('"', '""')
    return replace(
        sheet.with_paragraph(f'item,note\n{sheet.topic},"{formula}"'),
        kind="table",
        table_header="item,note",
    )
