"""With a character of no width between any two."""

READS = "the text, once characters of category Cf are gone"
WHOLE = True
UNSEEN = "[\u200b-\u200d\u2060\ufeff]"


def disguise(text: str, lang: str) -> str:
    del lang
    return "\u200b".join(text)
