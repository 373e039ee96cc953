"""As it is written."""

READS = "the text"
WHOLE = True


def disguise(text: str, lang: str) -> str:
    del lang
    return text
