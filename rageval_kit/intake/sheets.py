"""How does an id survive a sheet that spreadsheets open, and come back as it was?"""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# What a spreadsheet may run, with any apostrophes before it: those are counted up and down by one.
_FORMULA = re.compile(r"'* *[=+\-@\t\r\n＝＋－＠]")
_ESCAPED = r"^'('* *[=+\-@\t\r\n＝＋－＠])"


def escaped(text: str) -> str:
    """With one more apostrophe before what could run; of other texts `plain` changes nothing."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain(cell: str) -> str:
    """What a cell said before it was made safe for spreadsheets."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def plain_cells(cells: "pl.Series") -> "pl.Series":
    """The same of a whole column."""
    return cells.str.replace(_ESCAPED, "${1}")
