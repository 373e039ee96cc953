"""Do two known words stand joined into one, or only one behind the other?

Folding drops what stands between letters, so that `b, a` and `ba` fold alike. Whoever quotes two
words parts them; whoever joins them leaves nothing to be seen between them, or spells out the
whole in letters or groups of which those round the seam stand no further apart than the others.
"""

from collections.abc import Collection, Iterator
from itertools import pairwise

import numpy as np

from rageval_kit.detect.fold import Codes, fold, fold_text, plain_text, to_text

_EMPHASIS = str.maketrans("", "", "*_~`")  # Markdown that renders to nothing


def seam_of(token: str, pieces: Collection[str]) -> int:
    """Where in the folded token the second of two pieces begins; 0: it is not made of two."""
    whole = fold_text(token)
    folded = {fold_text(piece) for piece in pieces}
    cuts = (len(piece) for piece in sorted(folded) if piece and whole.startswith(piece))
    return next((cut for cut in cuts if whole[cut:] in folded), 0)


def stands_joined(codes: Codes, pattern: str, seam: int) -> bool:
    """Whether the folded pattern stands in the text with its seam closed, at least once."""
    text = to_text(codes)
    return any(_is_closed(gaps, seam) for gaps in _gaps(text, codes, pattern))


def _is_closed(gaps: list[str], seam: int) -> bool:
    between = gaps[seam - 1]
    return not between or (between in gaps[: seam - 1] and between in gaps[seam:])


def _gaps(text: str, codes: Codes, pattern: str) -> Iterator[list[str]]:
    """For each place of the pattern, what is seen between each two of its letters."""
    kinds, places = np.unique(codes, return_inverse=True)
    lengths = np.array([len(fold(kinds[at : at + 1])) for at in range(len(kinds))], dtype=np.int64)
    origins = np.repeat(np.arange(len(codes)), lengths[places])
    folded = to_text(fold(codes))
    start = folded.find(pattern)
    while start >= 0:
        letters = origins[start : start + len(pattern)].tolist()
        yield [_seen(text[left + 1 : right]) for left, right in pairwise(letters)]
        start = folded.find(pattern, start + 1)


def _seen(gap: str) -> str:
    return plain_text(gap).translate(_EMPHASIS) if gap else gap
