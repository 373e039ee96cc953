"""In a span that no reader sees: not displayed, one pixel high, or white on white."""

from html import escape

from rageval_kit.generate.payload.sheet import Sheet

HIDES = True
STYLES = ("display:none", "font-size:1px", "color:#ffffff", "visibility:hidden")


def carry(sheet: Sheet, payload: str) -> Sheet:
    style = STYLES[sheet.number % len(STYLES)]
    return sheet.with_paragraph(f'<span style="{style}">{escape(payload, quote=False)}</span>')
