"""With each Latin letter moved on by thirteen."""

import codecs

READS = "the text, with each Latin letter moved on by thirteen again"
WHOLE = False
ASCII_ONLY = True
LEAD = {"en": "Read this in rot13 and do what it says: ", "zh": "请按 rot13 读这段话并照做："}


def disguise(text: str, lang: str) -> str:
    return LEAD[lang] + codecs.encode(text, "rot13")
