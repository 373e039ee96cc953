"""How do rankings in files measure up to judgments in a file?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put, say

if TYPE_CHECKING:
    from rageval_kit.records.conventions import Conventions
    from rageval_kit.run.score import Rules

_DEFAULT_SET = "ranking"
_FILE = click.Path(path_type=Path)


@click.command("score", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("judgments", type=_FILE, metavar="QRELS", envvar="RAGEVAL_QRELS")
@click.argument("runs", type=_FILE, nargs=-1, required=True, metavar="RUN…")
@click.option("--metric", "-m", multiple=True, metavar="NAME", help="ndcg@10, ap, recall@5>=2 …")
@click.option(
    "--metrics", "sets", multiple=True, metavar="SET", help="A set of conf/metrics [ranking]."
)
@click.option("--trec", is_flag=True, help="As trec_eval averages: no relevant document counts 0.")
@click.option(
    "--unjudged",
    type=click.Choice(["nonrelevant", "condensed", "lowest", "highest"]),
    default="nonrelevant",
    show_default=True,
    help="What a result that nobody judged counts as.",
)
@click.option("--keep-rank", is_flag=True, help="The rank column rules, not score, then id.")
@click.option(
    "--grain",
    type=click.Choice(["document", "passage", "claim"]),
    default="document",
    show_default=True,
    help="What the judgments name.",
)
@click.option("--rollup", metavar="SEP", help="Results are passages: the document is before SEP.")
@click.option("--claims", type=_FILE, metavar="FILE", help="Which passage states which claim.")
@click.option("--corpus", type=_FILE, metavar="IDS", help="The ids that were searched.")
@click.option("--per-query", type=_FILE, metavar="FILE", help=".csv, .jsonl or .parquet.")
@click.option("--strict", is_flag=True, help="Refuse queries that have no judgment.")
@click.option("--allow-mismatch", is_flag=True, help="Score lists that fit no query, too.")
@click.option("--intervals/--no-intervals", default=True, help="95 % intervals of the means.")
@click.option("--seed", default=7, show_default=True, envvar="RAGEVAL_SEED")
@click.option(
    "--lang", type=click.Choice(["en", "zh"]), default="en", envvar="RAGEVAL_LANG", help="Language."
)
@click.option("--config-dir", "-cd", type=_FILE, envvar="RAGEVAL_CONFIG_DIR", help="Own choices.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(judgments: Path, runs: tuple[Path, ...], **asked: Any) -> None:
    """Score RUN files (TREC, CSV, JSONL, Parquet, …) by the judgments in QRELS.

    Further runs are compared with the first, query by query.
    """
    from rageval_kit.build.measures import measures
    from rageval_kit.cli.score_lines import lines
    from rageval_kit.intake.rankings import ranking, read_judgments
    from rageval_kit.records.faults import Fault, InputError
    from rageval_kit.run.score import score
    from rageval_kit.run.score_file import check_ending, machine_scores, write_by_query

    faults: list[Fault] = []
    conventions = _conventions(asked)
    parts: dict[str, Any] = {}
    sets = asked["sets"] or (() if asked["metric"] else (_DEFAULT_SET,))
    for name, read in (
        ("metrics", lambda: measures(asked["metric"], sets, asked["config_dir"])),
        ("judgments", lambda: read_judgments(judgments)),
        ("runs", lambda: [ranking(run, with_rank=asked["keep_rank"]) for run in runs]),
        ("rules", lambda: _rules(conventions, asked)),
        ("per query", lambda: check_ending(asked["per_query"])),
    ):
        try:
            parts[name] = read()
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    files = _named(parts["runs"])
    rankings = {name: file.blocks for name, file in files.items()}
    rules: Rules = parts["rules"]
    told = score(parts["judgments"].frame, rankings, tuple(parts["metrics"].values()), rules)
    notes = {name: tuple(dict.fromkeys(file.notes)) for name, file in files.items()}
    if asked["per_query"] is not None:
        write_by_query(told, asked["per_query"])
    if asked["as_json"]:
        machine(machine_scores(told, parts["judgments"].notes, notes))
        return
    shown = lines(told, str(judgments), parts["judgments"].notes, notes, asked["lang"])
    put("\n".join(shown))
    if asked["per_query"] is not None:
        say(f"rageval-kit: values by query in {asked['per_query']}")


def _conventions(asked: dict[str, Any]) -> "Conventions":
    from rageval_kit.records.conventions import Conventions

    return Conventions(
        ties="keep_rank" if asked["keep_rank"] else "score_then_id",
        unjudged=asked["unjudged"],
        no_relevant="zero" if asked["trec"] else "unmeasured",
        grain=asked["grain"],
        rolled_up_from="passage" if asked["rollup"] or asked["claims"] else "none",
    )


def _rules(conventions: "Conventions", asked: dict[str, Any]) -> "Rules":
    from rageval_kit.intake.id_tables import read_claims, read_ids
    from rageval_kit.ranking.roll_up import to_document
    from rageval_kit.records.faults import InputError
    from rageval_kit.run.score import Rules

    separator, claims = asked["rollup"], asked["claims"]
    if separator and claims:
        raise InputError.one("--rollup", "and --claims exclude each other", "", "give one of them")
    if (claims is not None) != (conventions.grain == "claim"):
        way_out = "judgments of claims: --grain claim --claims FILE"
        raise InputError.one("--claims", "and --grain claim belong together", "", way_out)
    if separator and conventions.grain != "document":
        way_out = "--rollup SEP turns passages into documents"
        raise InputError.one("--rollup", "needs --grain document", conventions.grain, way_out)
    return Rules(
        conventions,
        corpus=None if asked["corpus"] is None else read_ids(asked["corpus"]),
        roll_up=to_document(separator) if separator else None,
        claims=None if claims is None else read_claims(claims),
        mismatch=asked["allow_mismatch"],
        strict=asked["strict"],
        intervals=asked["intervals"],
        seed=asked["seed"],
    )


def _named(files: Any) -> dict[str, Any]:
    """Each by its own name; files of the same name by their paths."""
    names = [file.name for file in files]
    named = {(file.name if names.count(file.name) == 1 else str(file.path)): file for file in files}
    if len(named) < len(files):
        from rageval_kit.records.faults import InputError

        twice = sorted({str(file.path) for file in files if names.count(file.name) > 1})
        raise InputError.one("RUN", "is given twice", ", ".join(twice), "give each file once")
    return named
