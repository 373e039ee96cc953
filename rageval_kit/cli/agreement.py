"""How far do the raters of a table agree?"""

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put

if TYPE_CHECKING:
    from rageval_kit.intake.ratings import RatingsTable
    from rageval_kit.stats.agreement import Agreement, PairAgreement

_PAIRS_SHOWN = 45
_TWO = 2


@click.command("agreement", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--categories",
    metavar="A,B,C",
    help="The scale from one end to the other, for ordered coefficients; numbers order themselves.",
)
@click.option(
    "--missing",
    type=click.Choice(["drop", "category"]),
    default="drop",
    show_default=True,
    help="Fleiss' kappa: leave incomplete items out, or count what they lack as a category.",
)
@click.option(
    "--blank", multiple=True, metavar="LABEL", help="A label that stands for no rating; repeatable."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the resamples.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    file: Path,
    *,
    categories: str | None,
    missing: Literal["drop", "category"],
    blank: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> None:
    """Measure agreement in FILE: CSV, TSV or JSON lines of item, rater, label.

    Or of item and one column per rater. An empty cell is a rating not given.
    """
    from rageval_kit.cli.streams import say
    from rageval_kit.intake.ratings import read_ratings
    from rageval_kit.stats.agreement import by_pair, overview

    scale = None if categories is None else [one.strip() for one in categories.split(",")]
    table = read_ratings(file, scale, blank)
    told = overview(table.ratings, seed, missing=missing)
    pairs = by_pair(table.ratings, seed) if table.ratings.n_raters > _TWO else ()
    for warning in table.warnings:
        say(f"warning: {warning.fault}")
    if as_json:
        machine(_as_data(table, told, pairs, seed))
    else:
        _print(table, told, pairs)


def _as_data(
    table: "RatingsTable",
    told: "Sequence[Agreement]",
    pairs: "Sequence[PairAgreement]",
    seed: int,
) -> dict[str, Any]:
    return {
        "items": len(table.items),
        "raters": list(table.raters),
        "categories": list(table.ratings.categories),
        "ordered": table.ratings.ordered,
        "seed": seed,
        "coefficients": [asdict(one) for one in told],
        "pairs": [
            {
                "raters": [table.raters[one.first], table.raters[one.second]],
                "observed": asdict(one.observed),
                "kappa": asdict(one.kappa),
            }
            for one in pairs
        ],
        "warnings": [asdict(warning) for warning in table.warnings],
    }


def _print(
    table: "RatingsTable", told: "Sequence[Agreement]", pairs: "Sequence[PairAgreement]"
) -> None:
    from rageval_kit.report.visible import visible
    from rageval_kit.stats.agreement.definitions import MISSING_RATINGS

    ratings = table.ratings
    joint = " < " if ratings.ordered else ", "
    put(f"{ratings.n_items:,} items, {ratings.n_raters} raters")
    put(visible(f"labels: {joint.join(ratings.categories)}", 200))
    put()
    rows = [(_name(one), *_figures(one), _note(one)) for one in told]
    _columns([("coefficient", "value", "95 % interval", "items", "note"), *rows])
    put()
    for treatment in dict.fromkeys(one.missing for one in told if _treats_missing(one)):
        put(f"missing: {treatment}: {MISSING_RATINGS[treatment]['en']}")
    if not pairs:
        return
    by_two = [
        (
            visible(f"{table.raters[one.first]}, {table.raters[one.second]}"),
            *_figures(one.observed)[:2],
            *_figures(one.kappa),
            one.kappa.reason or one.kappa.note,
        )
        for one in pairs[:_PAIRS_SHOWN]
    ]
    head = ("raters", "observed", "95 % interval", "Cohen's kappa", "95 % interval", "items")
    _columns([(*head, "note"), *by_two])
    if len(pairs) > _PAIRS_SHOWN:
        put(f"and {len(pairs) - _PAIRS_SHOWN:,} pairs more; --json lists them all")


def _name(one: "Agreement") -> str:
    return one.coefficient.replace("_", " ")


def _figures(one: "Agreement") -> tuple[str, str, str]:
    value = "–" if one.value is None else f"{one.value:.3f}"
    low, high = one.low, one.high
    interval = "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    items = f"{one.n_items:,}"
    return value, interval, items if one.n_items == one.n_total else f"{items} of {one.n_total:,}"


def _note(one: "Agreement") -> str:
    """Why there is no value or interval; how missing ratings were treated, where there are any."""
    treated = f"missing: {one.missing}" if _treats_missing(one) else ""
    return "; ".join(filter(None, (one.reason, one.note, treated)))


def _treats_missing(one: "Agreement") -> bool:
    return one.n_items < one.n_total or one.missing == "category"


def _columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(_cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (
            text + " " * (width - _cells(text)) for text, width in zip(row, widths, strict=True)
        )
        put("  ".join(padded).rstrip())


def _cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
