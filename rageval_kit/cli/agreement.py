"""How far do the raters of a table agree?"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put
from rageval_kit.report.width import width_of

if TYPE_CHECKING:
    from rageval_kit.intake.ratings import RatingsTable
    from rageval_kit.stats.agreement import Agreement, PairAgreement

Lang = Literal["en", "zh"]

_PAIRS_SHOWN = 45
_TWO = 2
_WORDS: Mapping[str, Mapping[Lang, str]] = {
    "size": {
        "en": "{items:,} items, {raters} raters",
        "zh": "{items:,} 个条目，{raters} 名标注者",
    },
    "labels": {"en": "labels: {labels}", "zh": "标签：{labels}"},
    "coefficient": {"en": "coefficient", "zh": "系数"},
    "value": {"en": "value", "zh": "值"},
    "interval": {"en": "95 % interval", "zh": "95 % 区间"},
    "items": {"en": "items", "zh": "条目"},
    "of": {"en": "{n:,} of {total:,}", "zh": "{n:,} / {total:,}"},
    "note": {"en": "note", "zh": "说明"},
    "missing": {"en": "missing: {how}", "zh": "缺失：{how}"},
    "raters": {"en": "raters", "zh": "标注者"},
    "more": {
        "en": "and {n:,} pairs more; --json lists them all",
        "zh": "另有 {n:,} 对；--json 列出全部",
    },
}


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
@click.option("--seed", type=int, default=7, show_default=True, help="Seed of the resamples.")
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    envvar="RAGEVAL_LANG",
    help="Language of the table and the definitions.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    file: Path,
    *,
    categories: str | None,
    missing: Literal["drop", "category"],
    blank: tuple[str, ...],
    seed: int,
    lang: Lang,
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
        _print(table, told, pairs, lang)


def _as_data(
    table: "RatingsTable",
    told: "Sequence[Agreement]",
    pairs: "Sequence[PairAgreement]",
    seed: int,
) -> dict[str, Any]:
    from rageval_kit.stats.agreement.definitions import DEFINITIONS

    return {
        "items": len(table.items),
        "raters": list(table.raters),
        "categories": list(table.ratings.categories),
        "ordered": table.ratings.ordered,
        "seed": seed,
        "coefficients": [
            {**asdict(one), "definition": dict(DEFINITIONS[one.coefficient])} for one in told
        ],
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
    table: "RatingsTable", told: "Sequence[Agreement]", pairs: "Sequence[PairAgreement]", lang: Lang
) -> None:
    from rageval_kit.report.visible import visible
    from rageval_kit.stats.agreement.definitions import DEFINITIONS, MISSING_RATINGS, NAMES

    ratings = table.ratings
    joint = " < " if ratings.ordered else ", "
    put(_said("size", lang, items=ratings.n_items, raters=ratings.n_raters))
    put(visible(_said("labels", lang, labels=joint.join(ratings.categories)), 200))
    put()
    rows = [(NAMES[one.coefficient][lang], *_figures(one, lang), _note(one, lang)) for one in told]
    head = [_said(name, lang) for name in ("coefficient", "value", "interval", "items", "note")]
    _columns([head, *rows])
    put()
    for treatment in dict.fromkeys(one.missing for one in told if _treats_missing(one)):
        put(f"{_said('missing', lang, how=treatment)}: {MISSING_RATINGS[treatment][lang]}")
    if pairs:
        by_two = [
            (
                visible(f"{table.raters[one.first]}, {table.raters[one.second]}"),
                *_figures(one.observed, lang)[:2],
                *_figures(one.kappa, lang),
                one.kappa.reason or one.kappa.note,
            )
            for one in pairs[:_PAIRS_SHOWN]
        ]
        raters, interval, items, note = (
            _said(name, lang) for name in ("raters", "interval", "items", "note")
        )
        observed, kappa = (NAMES[name][lang] for name in ("observed_agreement", "cohen_kappa"))
        _columns([(raters, observed, interval, kappa, interval, items, note), *by_two])
        if len(pairs) > _PAIRS_SHOWN:
            put(_said("more", lang, n=len(pairs) - _PAIRS_SHOWN))
        put()
    for one in told:
        if one.value is not None:
            put(f"{one.coefficient}: {DEFINITIONS[one.coefficient][lang]}")


def _said(name: str, lang: Lang, **values: object) -> str:
    return _WORDS[name][lang].format(**values)


def _figures(one: "Agreement", lang: Lang) -> tuple[str, str, str]:
    value = "–" if one.value is None else f"{one.value:.3f}"
    low, high = one.low, one.high
    interval = "–" if low is None or high is None else f"{low:.3f} – {high:.3f}"
    if one.n_items == one.n_total:
        return value, interval, f"{one.n_items:,}"
    return value, interval, _said("of", lang, n=one.n_items, total=one.n_total)


def _note(one: "Agreement", lang: Lang) -> str:
    """Why there is no value or interval; how missing ratings were treated, where there are any."""
    treated = _said("missing", lang, how=one.missing) if _treats_missing(one) else ""
    return "; ".join(filter(None, (one.reason, one.note, treated)))


def _treats_missing(one: "Agreement") -> bool:
    return one.n_items < one.n_total or one.missing == "category"


def _columns(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (
            text + " " * (width - width_of(text)) for text, width in zip(row, widths, strict=True)
        )
        put("  ".join(padded).rstrip())
