"""In the cell of a table."""

from dataclasses import replace

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    cell = one_line(payload).replace("|", "\\|")
    item, note = ("项目", "备注") if sheet.lang == "zh" else ("Item", "Note")
    head = f"| {item} | {note} |"
    table = f"{head}\n|---|---|\n| {sheet.topic} | {cell} |"
    return replace(sheet.with_paragraph(table), kind="table", table_header=head)
