"""How do documents, people and rights of somebody become a snapshot that stays as it is?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rageval_kit.cli.machine import machine

if TYPE_CHECKING:
    from rageval_kit.intake.history import History

_PATH = click.Path(path_type=Path)
_WARNINGS = 20


@click.command("snapshot", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("source", type=_PATH, envvar="RAGEVAL_SOURCE")
@click.option(
    "-o",
    "--out",
    type=_PATH,
    default=Path("snapshots"),
    show_default=True,
    envvar="RAGEVAL_OUT",
    help="Folder in which the snapshot is made, under its name and digest.",
)
@click.option(
    "--name", envvar="RAGEVAL_NAME", help="Plain name of the snapshot; else that of SOURCE."
)
@click.option("--clock", envvar="RAGEVAL_CLOCK", help="Its now: an instant with a zone.")
@click.option("--timezone", envvar="RAGEVAL_TIMEZONE", help="Zone of dates without one.")
@click.option(
    "--directory", type=_PATH, envvar="RAGEVAL_DIRECTORY", help="People and rights, if elsewhere."
)
@click.option("--drop-invalid", is_flag=True, help="Leave out documents with faults, counted.")
@click.option(
    "--tenant",
    envvar="RAGEVAL_TENANT",
    help="SOURCE is a git repository: a version per commit, all readable in this tenant.",
)
@click.option("--paths", multiple=True, help="Git: files by pattern, as 'Policies/*.md'.")
@click.option("--effective-pattern", help="Git: where a text says since when it is in force.")
@click.option(
    "--date",
    type=click.Choice(("committer", "author")),
    default="committer",
    show_default=True,
    help="Git: which date of a commit is when it was recorded.",
)
@click.option("--since", help="Git: without what was replaced by then.")
@click.option("--until", help="Git: without what was recorded later.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(  # noqa: PLR0913 - each is one thing a person may say about a source
    *,
    source: Path,
    out: Path,
    name: str | None,
    clock: str | None,
    timezone: str | None,
    directory: Path | None,
    drop_invalid: bool,
    as_json: bool,
    tenant: str | None,
    paths: tuple[str, ...],
    effective_pattern: str | None,
    date: str,
    since: str | None,
    until: str | None,
) -> None:
    """Build a snapshot from SOURCE: a table, pages, an archive, a world file or a git history."""
    from rageval_kit.build.pasting import pasted
    from rageval_kit.cli.streams import say
    from rageval_kit.intake.build import build_snapshot

    built = build_snapshot(
        source,
        out,
        name=name or source.resolve().name.partition(".")[0],
        clock=clock,
        timezone=timezone,
        directory=directory,
        drop_invalid=drop_invalid,
        history=_history(tenant, paths, effective_pattern, date, since, until),
    )
    if as_json:
        machine({"snapshot": built.folder, "digest": built.digest, "directory": built.directory})
    for warning in built.report.warnings[:_WARNINGS]:
        say(f"warning: {warning.fault}")
    if len(built.report.warnings) > _WARNINGS:
        say(f"and {len(built.report.warnings) - _WARNINGS:,} more warnings")
    say(f"{built.folder}: built, digest {built.digest}")
    people = ""
    if built.directory is not None:
        people = f" access=directory {pasted('access.path', str(built.directory))}"
    say(f"use it with corpus=snapshot {pasted('corpus.path', str(built.folder))}{people}")


def _history(
    tenant: str | None,
    paths: tuple[str, ...],
    effective: str | None,
    date: str,
    since: str | None,
    until: str | None,
) -> "History | None":
    from rageval_kit.intake.history import History
    from rageval_kit.intake.lineage import Clock

    if tenant is not None:
        return History(tenant, paths, effective, Clock(date), since, until)
    if paths or effective or since or until:
        raise click.UsageError("options of a git history need --tenant: whose are its documents?")
    return None
