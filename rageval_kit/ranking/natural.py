"""In which order do people expect ids to stand: `q2` before `q10`?"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

_DIGITS = re.compile("0*([0-9]+)")


def in_natural_order(ids: "pl.Series") -> list[str]:
    """The distinct ids as people count them: 2 before 10, `q2` before `q10`."""
    import polars as pl

    distinct = ids.unique()
    if distinct.str.contains("^[0-9]+$").all():
        digits = pl.col("text").str.strip_chars_start("0")
        return (
            distinct.alias("text").to_frame().sort(digits.str.len_bytes(), digits, "text")["text"]
        ).to_list()
    return sorted(distinct.to_list(), key=lambda text: (_DIGITS.sub(_counted, text), text))


def _counted(met: re.Match[str]) -> str:
    """Digits led by how many they are: so read as text, numbers stand in their order."""
    return f"{len(met[1]):06}{met[1]}"
