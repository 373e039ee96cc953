"""How is a table written as CSV so that opening it in a spreadsheet runs nothing?"""

import csv
import io
import math
from collections.abc import Iterable, Sequence

from rageval_kit.records.faults import KitError
from rageval_kit.report.visible import visible

Cell = str | int | float

# Also the full-width forms, which some spreadsheets read as the plain ones.
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def _safe(cell: Cell | None, column: str, *, exact: bool) -> Cell:
    if isinstance(cell, str):
        cell = cell if exact else visible(cell, lines=True)
        return f"'{cell}" if cell.lstrip(" ").startswith(_STARTS) else cell
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        raise KitError(f"CSV column '{column}': {cell!r} is no value; write the reason as text")
    return cell


def csv_rows(
    headers: Sequence[str], rows: Iterable[Sequence[Cell | None]], *, exact: bool = False
) -> str:
    """CSV text; what could be a formula gets a leading apostrophe, numbers stay numbers.

    Control, bidi and other unseen characters are written by their code point, as in the report;
    `exact` leaves them, for a sheet that is read back.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_safe(header, header, exact=exact) for header in headers])
    for row in rows:
        named = zip(row, headers, strict=True)
        writer.writerow([_safe(cell, name, exact=exact) for cell, name in named])
    return out.getvalue()
