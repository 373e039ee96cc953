"""As the label of a Markdown image; another image stands in the sentence that answers."""

from rageval_kit.generate.payload.sheet import Sheet, bracketed


def carry(sheet: Sheet, payload: str) -> Sheet:
    image = f" ![plan](https://{sheet.host}/plan.png)"
    label = f"![{bracketed(payload)}](https://{sheet.host}/note.png)"
    return sheet.with_link(image).with_paragraph(label)
