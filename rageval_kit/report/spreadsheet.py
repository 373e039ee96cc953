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


def _safe(cell: Cell | None, column: str) -> Cell:
    if isinstance(cell, str):
        cell = visible(cell, lines=True)
        return f"'{cell}" if cell.lstrip(" ").startswith(_STARTS) else cell
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        raise KitError(f"CSV column '{column}': {cell!r} is no value; write the reason as text")
    return cell


def csv_rows(headers: Sequence[str], rows: Iterable[Sequence[Cell | None]]) -> str:
    """CSV text; what could be a formula gets a leading apostrophe, numbers stay numbers.

    Control, bidi and other unseen characters are written by their code point, as in the report.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_safe(header, header) for header in headers])
    for row in rows:
        writer.writerow([_safe(cell, name) for cell, name in zip(row, headers, strict=True)])
    return out.getvalue()
