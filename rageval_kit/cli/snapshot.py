"""How does a folder of documents, people and rights become a snapshot that stays as it is?"""

import json
from pathlib import Path

import click


@click.command("snapshot", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("source", type=click.Path(path_type=Path), envvar="RAGEVAL_SOURCE")
@click.argument("target", type=click.Path(path_type=Path), envvar="RAGEVAL_TARGET")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(source: Path, target: Path, *, as_json: bool) -> None:
    """Build the snapshot TARGET, a new folder, from SOURCE; nothing is written if a fault is met."""
    from rageval_kit.cli.door import say
    from rageval_kit.intake import build_snapshot

    digest = build_snapshot(source, target)
    if as_json:
        click.echo(json.dumps({"snapshot": str(target), "digest": str(digest)}))
    say(f"{target}: built; use it with corpus=snapshot corpus.path={target}")
