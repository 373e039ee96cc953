"""Which words does whoever answers know by another word, or in another language?"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from rageval_kit.text.animals import ANIMALS
from rageval_kit.text.normalise import fold

_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {word: entry for entry in ANIMALS for word in entry}
)


_NAMED = re.compile(
    "|".join(
        rf"\b{word}s?\b" if word.isascii() else word for word in sorted(_OF, key=len, reverse=True)
    )
)


def thing_in(text: str) -> tuple[str, ...]:
    """The first thing of the glossary that the text names, by all its words; () where none."""
    found = _NAMED.search(fold(text))
    if found is None:
        return ()
    return _OF.get(found[0]) or _OF[found[0].removesuffix("s")]
