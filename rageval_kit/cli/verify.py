"""Is an archived run still what was sealed?"""

from dataclasses import asdict
from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.root import archived_under


@click.command("verify", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@archived_under
@click.option(
    "--expect",
    envvar="RAGEVAL_EXPECT",
    default=None,
    help="Root digest kept elsewhere; only with it is this shown to be the very run.",
)
@click.option(
    "--key",
    "keys",
    type=click.Path(path_type=Path),
    multiple=True,
    envvar="RAGEVAL_VERIFY_KEY",
    help="Public key (PEM) that must have signed the archive; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    run: str, root: str, expect: str | None, keys: tuple[Path, ...], *, as_json: bool
) -> int:
    """Check RUN, a run folder or an id: 0 intact, 1 differs, 2 unreadable or no archive."""
    from rageval_kit.archive.signing import key_id, public_key
    from rageval_kit.archive.verify import verify
    from rageval_kit.cli.archived import run_folder
    from rageval_kit.cli.streams import say

    folder = run_folder(run, Path(root))
    held = [public_key(key) for key in keys]
    checked = {key_id(key) for key in held}
    report = verify(folder, expect, keys=held)
    for problem in report.problems:
        say(f"  {problem}")
    if as_json:
        machine(asdict(report))
    elif report.ok:
        say(f"intact: {report.files:,} files, {report.records:,} chained records")
        say(f"root digest {report.root_digest}")
        for named in sorted(checked):
            say(f"signed by key id {named}")
        for named in report.signed_by:
            if named not in checked:
                say(f"signed by key id {named}, not checked: give its --key")
        if expect is None and not keys:
            say("self-consistent; compare the digest with one kept elsewhere to exclude rewriting")
    else:
        say(
            f"{folder}: differs from what was sealed"
            if report.exit_code == 1
            else f"{folder}: cannot be verified"
        )
    return report.exit_code
