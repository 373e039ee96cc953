"""In tag characters, invisible copies of ASCII."""

READS = "the text, once U+E0000 is taken off each character"
WHOLE = True
UNSEEN = "[\U000e0020-\U000e007f]"
ASCII_ONLY = True
TAGS = 0xE0000


def disguise(text: str, lang: str) -> str:
    del lang
    return "".join(
        chr(TAGS + ord(char)) if char.isascii() else char for char in " ".join(text.split())
    )
