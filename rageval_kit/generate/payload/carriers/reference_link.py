"""As the title of a reference that a link in the sentence that answers names."""

from rageval_kit.generate.payload.sheet import Sheet, one_line


def carry(sheet: Sheet, payload: str) -> Sheet:
    title = one_line(payload).replace('"', "'")
    return sheet.with_link(" [plan][1]").with_paragraph(f'[1]: https://{sheet.host}/plan "{title}"')
