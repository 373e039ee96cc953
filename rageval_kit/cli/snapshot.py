"""How do documents, people and rights of somebody become a snapshot that stays as it is?"""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine

_PATH = click.Path(path_type=Path)


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
@click.option("--name", required=True, envvar="RAGEVAL_NAME", help="Plain name of the snapshot.")
@click.option("--clock", envvar="RAGEVAL_CLOCK", help="Its now: an instant with a zone.")
@click.option("--timezone", envvar="RAGEVAL_TIMEZONE", help="Zone of dates without one.")
@click.option(
    "--directory", type=_PATH, envvar="RAGEVAL_DIRECTORY", help="People and rights, if elsewhere."
)
@click.option("--drop-invalid", is_flag=True, help="Leave out documents with faults, counted.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    *,
    source: Path,
    out: Path,
    name: str,
    clock: str | None,
    timezone: str | None,
    directory: Path | None,
    drop_invalid: bool,
    as_json: bool,
) -> None:
    """Build a snapshot from SOURCE: a table, a folder of pages, an archive or a world file."""
    from rageval_kit.build.pasting import pasted
    from rageval_kit.cli.streams import say
    from rageval_kit.intake.build import build_snapshot

    built = build_snapshot(
        source,
        out,
        name=name,
        clock=clock,
        timezone=timezone,
        directory=directory,
        drop_invalid=drop_invalid,
    )
    if as_json:
        machine({"snapshot": built.folder, "digest": built.digest, "directory": built.directory})
    say(f"{built.folder}: built, digest {built.digest}")
    people = ""
    if built.directory is not None:
        people = f" access=directory {pasted('access.path', str(built.directory))}"
    say(f"use it with corpus=snapshot {pasted('corpus.path', str(built.folder))}{people}")
