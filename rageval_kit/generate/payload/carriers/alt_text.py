"""In the alternative text of an image."""

from html import escape

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    words = escape(one_line(payload).replace('"', "'"), quote=False)
    return sheet.with_paragraph(f'<img src="plan.png" alt="{words}">')
