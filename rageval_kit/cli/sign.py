"""Who vouches for an archive that is sealed already?"""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.root import archived_under


@click.command("sign", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@click.option(
    "--key",
    required=True,
    type=click.Path(path_type=Path),
    envvar="RAGEVAL_SIGN_KEY",
    help="Private key (PEM); its password in RAGEVAL_SIGN_PASSWORD, if it has one.",
)
@archived_under
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(run: str, key: Path, root: str, *, as_json: bool) -> int:
    """Sign RUN, a run folder or an id, once more; it must be what was sealed."""
    from rageval_kit.archive.signing import private_key, sign_sealed
    from rageval_kit.cli.archived import sealed_folder
    from rageval_kit.cli.streams import say

    chosen = private_key(key)
    signed_by = sign_sealed(sealed_folder(run, Path(root)), chosen)
    for key_id in signed_by:
        say(f"signed by key id {key_id}")
    if as_json:
        machine({"signed_by": list(signed_by)})
    return 0
