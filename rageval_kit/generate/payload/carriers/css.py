"""In a style sheet, as the content of a rule."""

from rageval_kit.generate.payload.sheet import Sheet, one_line

HIDES = True


def carry(sheet: Sheet, payload: str) -> Sheet:
    words = one_line(payload).replace("\\", "\\\\").replace('"', "'")
    return sheet.with_paragraph(f'<style>.note::after {{ content: "{words}"; }}</style>')
