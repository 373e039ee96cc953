"""Between marks that make a screen show it backwards."""

READS = "the text, once characters of category Cf are gone"
WHOLE = True


def disguise(text: str, lang: str) -> str:
    del lang
    return f"\u202e{text}\u202c"
