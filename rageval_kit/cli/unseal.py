"""How does a recipient read the sealed evidence of a run?"""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.root import archived_under


@click.command("unseal", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@click.option(
    "-i",
    "--identity",
    required=True,
    type=click.Path(path_type=Path),
    envvar="RAGEVAL_IDENTITY",
    help="Your age identity (a file with AGE-SECRET-KEY-…, or an SSH private key).",
)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    envvar="RAGEVAL_OUTPUT",
    help="A new folder for the plain texts, outside every archive.",
)
@archived_under
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(run: str, identity: Path, output: Path, root: str, *, as_json: bool) -> int:
    """Decrypt the evidence of RUN, a run folder or an id, which must be what was sealed."""
    from rageval_kit.archive.sealing import unseal
    from rageval_kit.cli.archived import sealed_folder
    from rageval_kit.cli.streams import say

    written = unseal(sealed_folder(run, Path(root)), identity, output)
    say(f"{len(written):,} files in {output}: they hold texts that not everybody may read")
    if as_json:
        machine({"files": [str(path) for path in written]})
    return 0
