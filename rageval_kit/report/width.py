"""How many cells of a terminal does a text take?"""

import unicodedata


def width_of(text: str) -> int:
    """Ideographs and full-width forms take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
