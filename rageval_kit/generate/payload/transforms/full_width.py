"""In the full-width forms of ASCII."""

READS = "the text, after NFKC"
WHOLE = True
WIDE = {**{code: code + 0xFEE0 for code in range(0x21, 0x7F)}, 0x20: 0x3000}


def disguise(text: str, lang: str) -> str:
    del lang
    return text.translate(WIDE)
