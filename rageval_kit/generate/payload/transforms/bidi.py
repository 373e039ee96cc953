"""Between marks that make a screen show it backwards."""

READS = "the text, once characters of category Cf are gone"
WHOLE = True
UNSEEN = "[\u202a-\u202e\u2066-\u2069]"


def disguise(text: str, lang: str) -> str:
    del lang
    return f"\u202e{text}\u202c"
