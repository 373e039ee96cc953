"""The rules that hold inside one table, put to pandera on eager frames."""

from collections.abc import Callable, Mapping
from typing import Any

import pandera.polars as pa
import polars as pl

from rageval_kit.intake.cells import Kind
from rageval_kit.intake.flatten import Table
from rageval_kit.intake.report import Collector, nearest
from rageval_kit.intake.tables import Column, TableSpec

ID_LIMIT = 512
TEXT_LIMIT = 1_000_000

_INSTANT = pl.Datetime("us", "UTC")
_TYPES: Mapping[Kind, Any] = {
    Kind.ID: pl.String,
    Kind.TEXT: pl.String,
    Kind.WORD: pl.String,
    Kind.START: _INSTANT,
    Kind.END: _INSTANT,
    Kind.INSTANT: _INSTANT,
    Kind.FLAG: pl.Boolean,
    Kind.IDS: pl.List(pl.String),
    Kind.NUMBER: pl.Int64,
    Kind.PAIRS: pl.String,
}
_RULES: Mapping[str, tuple[str, str]] = {
    "not_nullable": ("is missing", "write it"),
    "blank": ("is empty", "write an id, or leave the key out where it is optional"),
    "id_limit": (f"is longer than {ID_LIMIT} bytes", "shorten the id"),
    "text_limit": (f"is longer than {TEXT_LIMIT} bytes", "divide it into chunks"),
    "deny_link": ("a deny on a link is refused", "revoke the link, or deny the people"),
    "names_nobody": ("the entry names nobody", "write the id of the user, unit or link"),
    "names_somebody": ("everyone and public carry no id", "leave id out, or change the kind"),
}
# A rule over a whole row is shown at the cell that has to change.
_COLUMN_OF_ROW_RULE = {"deny_link": "effect", "names_nobody": "id", "names_somebody": "id"}


def _each(expression: Callable[[pl.Expr], pl.Expr], name: str) -> pa.Check:
    def check(data: Any) -> pl.LazyFrame:
        frame: pl.LazyFrame = data.lazyframe
        return frame.select(expression(pl.col(data.key)))

    return pa.Check(check, name=name)


def _rows(expression: pl.Expr, name: str) -> pa.Check:
    def check(data: Any) -> pl.LazyFrame:
        frame: pl.LazyFrame = data.lazyframe
        return frame.select(expression.fill_null(value=True))

    return pa.Check(check, name=name)


def _column(column: Column) -> Any:
    checks = []
    if column.kind is Kind.ID:
        checks.append(_each(lambda cell: cell.str.strip_chars() != "", "blank"))
        checks.append(_each(lambda cell: cell.str.len_bytes() <= ID_LIMIT, "id_limit"))
    elif column.kind in (Kind.TEXT, Kind.PAIRS):
        checks.append(_each(lambda cell: cell.str.len_bytes() <= TEXT_LIMIT, "text_limit"))
    elif column.kind is Kind.WORD:
        checks.append(_each(lambda cell: cell.is_in(list(column.words)), "word"))
    return pa.Column(_TYPES[column.kind], checks=checks, nullable=not column.required)


def _entry_checks() -> list[pa.Check]:
    kind, effect, subject = pl.col("kind"), pl.col("effect"), pl.col("id")
    named = kind.is_in(["user", "unit", "link"])
    return [
        _rows(~((kind == "link") & (effect == "deny")), "deny_link"),
        _rows(~(named & subject.is_null()), "names_nobody"),
        _rows(~(kind.is_in(["everyone", "public"]) & subject.is_not_null()), "names_somebody"),
    ]


def schema_of(spec: TableSpec) -> Any:
    """Give the pandera schema of a table: types, presence, spellings, sizes and windows."""
    checks = [
        _rows(pl.col(start) < pl.col(end), f"window:{start}:{end}") for start, end in spec.windows
    ]
    if "effect" in spec.by_name:
        checks.extend(_entry_checks())
    return pa.DataFrameSchema(
        {column.name: _column(column) for column in spec.columns}, checks=checks, name=spec.name
    )


def frame_of(table: Table) -> pl.DataFrame:
    types = {column.name: _TYPES[column.kind] for column in table.spec.columns}
    return pl.DataFrame(table.columns, schema=types)


def check_table(table: Table, faults: Collector) -> None:
    """Report every cell and row of the table that breaks a rule.

    The frame is eager: pandera looks at the types only of a lazy one, and bad values pass.
    """
    if not len(table):
        return
    try:
        schema_of(table.spec).validate(frame_of(table), lazy=True)
    except pa.errors.SchemaErrors as errors:
        for case in errors.failure_cases.iter_rows(named=True):
            _report(table, case, faults)


def _report(table: Table, case: Mapping[str, Any], faults: Collector) -> None:
    index, check = case["index"], str(case["check"])
    if check.startswith("window:"):
        _, start, end = check.split(":")
        column, value = end, table.columns[end][index]
        rule = f"{end} is not after {start} ({table.columns[start][index]})"
        way_out = "swap them, or leave the open bound out"
    else:
        column = _COLUMN_OF_ROW_RULE.get(check, case["column"])
        value = table.columns[column][index]
        if check == "word":
            rule = f"is no {column} of {table.spec.name}"
            way_out = nearest(str(value), table.spec.by_name[column].words)
        else:
            rule, way_out = _RULES[check]
    file, line, place = table.place(index, column)
    # a cell that could not be read stands in the frame as missing: it was reported already
    if check in ("not_nullable", "names_nobody") and (file, line, place) in faults.places:
        return
    faults.fault(file, line, place, value, rule, way_out)
