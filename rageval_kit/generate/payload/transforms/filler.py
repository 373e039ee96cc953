"""With characters of no shape between any two that count as letters or signs, not as format."""

from itertools import cycle

READS = "the text, once U+115F, U+1160, U+2800, U+3164 and U+FFA0 are gone"
WHOLE = True
UNSEEN = "[\u115f\u1160\u2800\u3164\uffa0]"
FILLERS = "\u3164\u115f\u2800\uffa0\u1160"


def disguise(text: str, lang: str) -> str:
    del lang
    between = cycle(FILLERS)
    return text[:1] + "".join(next(between) + char for char in text[1:])
