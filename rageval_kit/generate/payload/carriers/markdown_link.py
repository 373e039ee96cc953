"""As the label of a Markdown link; another link stands in the sentence that answers."""

from rageval_kit.generate.payload.sheet import Sheet, bracketed


def carry(sheet: Sheet, payload: str) -> Sheet:
    link = f" [plan](https://{sheet.host}/plan)"
    label = f"[{bracketed(payload)}](https://{sheet.host}/note)"
    return sheet.with_link(link).with_paragraph(label)
