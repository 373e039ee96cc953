"""How do rankings in files measure up to judgments in a file?"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put, say

if TYPE_CHECKING:
    from rageval_kit.intake.rankings import RankingFile
    from rageval_kit.records.conventions import Conventions, Grain, Unjudged
    from rageval_kit.report.words import Lang
    from rageval_kit.run.score import Rules

_DEFAULT_SET = "ranking"
_FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class Asked:
    """What stands on the command line beside the files."""

    metric: tuple[str, ...]
    sets: tuple[str, ...]
    trec: bool
    unjudged: "Unjudged"
    keep_rank: bool
    grain: "Grain"
    rollup: str | None
    claims: Path | None
    corpus: Path | None
    per_query: Path | None
    force: bool
    strict: bool
    allow_mismatch: bool
    intervals: bool
    seed: int
    lang: "Lang"
    config_dir: Path | None
    as_json: bool

    @property
    def conventions(self) -> "Conventions":
        from rageval_kit.records.conventions import Conventions

        return Conventions(
            ties="keep_rank" if self.keep_rank else "score_then_id",
            unjudged=self.unjudged,
            no_relevant="zero" if self.trec else "unmeasured",
            grain=self.grain,
            rolled_up_from="none" if self.rollup is None and self.claims is None else "passage",
        )


@click.command("score", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("judgments", type=_FILE, metavar="QRELS", envvar="RAGEVAL_QRELS")
@click.argument("runs", type=_FILE, nargs=-1, required=True, metavar="RUN…")
@click.option(
    "--metric",
    "-m",
    multiple=True,
    metavar="NAME",
    help="A measure, as often as you like: ndcg@10, ap, recall@5>=2 (grade 2 and above).",
)
@click.option(
    "--metrics",
    "sets",
    multiple=True,
    metavar="SET",
    help="A set: ranking, retrieval_core, practitioner, or your own  [ranking, without -m]",
)
@click.option(
    "--trec",
    is_flag=True,
    help="A query without a relevant document counts 0, as in trec_eval; else it has no value.",
)
@click.option(
    "--unjudged",
    type=click.Choice(["nonrelevant", "condensed", "lowest", "highest"]),
    default="nonrelevant",
    show_default=True,
    help="A result nobody judged is not relevant; or is taken out of the list; or is graded so "
    "that each value is as low, or as high, as it could be.",
)
@click.option("--keep-rank", is_flag=True, help="Lists stand by the rank column, not by score.")
@click.option(
    "--grain",
    type=click.Choice(["document", "passage", "claim"]),
    default="document",
    show_default=True,
    help="What the judgments name; claim needs --claims.",
)
@click.option(
    "--rollup",
    metavar="SEP",
    help="Results are passages, judgments documents: 'a#2' with SEP '#' is document 'a'.",
)
@click.option(
    "--claims", type=_FILE, metavar="FILE", help="Lines 'passage claim': which one states which."
)
@click.option(
    "--corpus", type=_FILE, metavar="FILE", help="All ids searched; results not in it are told."
)
@click.option(
    "--per-query",
    type=_FILE,
    metavar="FILE",
    help="Write the values of each query there; it ends with .csv, .jsonl or .parquet.",
)
@click.option("--force", is_flag=True, help="Replace the file of --per-query if it exists.")
@click.option("--strict", is_flag=True, help="Refuse a run with queries that have no judgment.")
@click.option(
    "--allow-mismatch",
    is_flag=True,
    help="Score also where no id meets, or lists answer other queries than they are named after.",
)
@click.option("--intervals/--no-intervals", default=True, help="95 % intervals of the means  [on]")
@click.option(
    "--seed",
    default=7,
    show_default=True,
    envvar="RAGEVAL_SEED",
    help="Of what intervals and tests draw.",
)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    show_default=True,
    envvar="RAGEVAL_LANG",
    help="Language of the table.",
)
@click.option(
    "--config-dir",
    "-cd",
    type=_FILE,
    metavar="FOLDER",
    envvar="RAGEVAL_CONFIG_DIR",
    help="Measures and sets of your own: metric/NAME.yaml, metrics/SET.yaml.",
)
@click.option(
    "--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="JSON, with definitions."
)
def command(judgments: Path, runs: tuple[Path, ...], **words: Any) -> None:
    """Score the rankings in RUN files by the judgments in QRELS.

    Both are read in TREC form, as CSV, TSV, JSONL, JSON or Parquet, packed or not. With several
    RUN files each further one is compared with the first, query by query. `rageval-kit explain
    NAME` says what a measure is.
    """
    from rageval_kit.build.measures import measures
    from rageval_kit.cli.score_lines import lines
    from rageval_kit.intake.rankings import read_judgments
    from rageval_kit.run.score import score
    from rageval_kit.run.score_file import check_output, machine_scores, write_by_query

    asked = Asked(**words)
    sets = asked.sets or (() if asked.metric else (_DEFAULT_SET,))
    read = _all(
        chosen=lambda: measures([], sets, asked.config_dir),
        named=lambda: measures(asked.metric, [], asked.config_dir),
        known=lambda: read_judgments(judgments),
        files=lambda: _rankings(runs, with_rank=asked.keep_rank),
        rules=lambda: _rules(asked),
        output=lambda: check_output(asked.per_query, force=asked.force),
    )
    metrics, unfit = _fitting(read["chosen"], read["named"], asked)
    known, files = read["known"], read["files"]
    told = score(known.frame, files, metrics, read["rules"])
    notes = {name: tuple(dict.fromkeys(file.notes)) for name, file in files.items()}
    if asked.per_query is not None:
        write_by_query(told, asked.per_query)
    if asked.as_json:
        machine(machine_scores(told, known.notes, notes, unfit))
        return
    of_judgments = (str(judgments), known.notes)
    put("\n".join(lines(told, of_judgments, notes, unfit, asked.lang, intervals=asked.intervals)))
    if asked.per_query is not None:
        say(f"rageval-kit: values by query in {asked.per_query}")


def _all(**parts: Callable[[], Any]) -> dict[str, Any]:
    """Each part read; what is wrong with any of them is told at once."""
    from rageval_kit.records.faults import Fault, InputError

    read: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, part in parts.items():
        try:
            read[name] = part()
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(dict.fromkeys(faults))  # what hinders two parts is told once
    return read


def _rankings(runs: tuple[Path, ...], *, with_rank: bool) -> dict[str, "RankingFile"]:
    from rageval_kit.intake.rankings import by_name, ranking

    opened = [partial(ranking, run, with_rank=with_rank) for run in runs]
    return by_name([*_all(**{str(i): one for i, one in enumerate(opened)}).values()])


def _fitting(
    chosen: dict[str, Any], named: dict[str, Any], asked: Asked
) -> tuple[tuple[Any, ...], dict[str, str]]:
    """Of a set, the measures that these conventions allow; one that was named is never dropped."""
    from rageval_kit.build.measures import fitting
    from rageval_kit.records.faults import InputError
    from rageval_kit.report.words import words

    fit, unfit = fitting(chosen, asked.conventions)
    unfit = {name: why for name, why in unfit.items() if name not in named}
    metrics = {**fit, **named}
    if not metrics:
        met = "; ".join(
            f"{name}: {words('en')(f'score.unfit.{why}')}" for name, why in unfit.items()
        )
        raise InputError.one("--metrics", "no measure of the set is left", met, "name some with -m")
    return tuple(metrics.values()), unfit


def _rules(asked: Asked) -> "Rules":
    from rageval_kit.intake.id_tables import read_claims, read_ids
    from rageval_kit.ranking.roll_up import to_document
    from rageval_kit.records.faults import Fault, InputError
    from rageval_kit.run.score import Rules

    separator, claims, corpus = asked.rollup, asked.claims, asked.corpus
    faults = []
    if separator is not None and claims is not None:
        faults.append(Fault("--rollup", "does not go with --claims", "", "give one of them"))
    elif (claims is not None) != (asked.grain == "claim"):
        way_out = "to score claims: --grain claim --claims FILE"
        faults.append(Fault("--claims", "goes with --grain claim only, and needs it", "", way_out))
    elif separator is not None and asked.grain != "document":
        way_out = "leave out --rollup, or judge documents"
        met = f"--grain {asked.grain}"
        faults.append(Fault("--rollup", "turns passages into documents", met, way_out))
    if faults:
        raise InputError(faults)
    read = _all(
        roll_up=lambda: None if separator is None else to_document(separator),
        corpus=lambda: None if corpus is None else read_ids(corpus),
        claims=lambda: None if claims is None else read_claims(claims),
    )
    return Rules(
        asked.conventions,
        mismatch=asked.allow_mismatch,
        strict=asked.strict,
        intervals=asked.intervals,
        seed=asked.seed,
        **read,
    )
