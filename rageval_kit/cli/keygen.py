"""How does a person come by a key to sign with, or one to read sealed evidence with?"""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine


@click.command("keygen", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path), envvar="RAGEVAL_NEW_KEY")
@click.option(
    "--evidence",
    is_flag=True,
    envvar="RAGEVAL_EVIDENCE",
    help="An age identity, to read sealed evidence with, in place of a key to sign with.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(path: Path, *, evidence: bool, as_json: bool) -> int:
    """Make a key in FILE, for its owner alone; of a signing key the public half in FILE.pub.

    With RAGEVAL_SIGN_PASSWORD set the signing key is encrypted with it.
    """
    from rageval_kit.cli.streams import say

    if evidence:
        from rageval_kit.archive.sealing import generate as identity

        recipient = identity(path)
        say(f"identity in {path}; keep it away from the archives")
        say(f"give out: archive.recipients=[{recipient}]")
        told = {"identity": str(path), "recipient": recipient}
    else:
        from rageval_kit.archive.signing import generate

        key_id = generate(path)
        say(f"private key in {path}, public key in {path}.pub")
        say(f"key id {key_id}")
        told = {"private": str(path), "public": f"{path}.pub", "key_id": key_id}
    if as_json:
        machine(told)
    return 0
