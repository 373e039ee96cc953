"""Does a folder or file of a person hold what an evaluation can read?"""

import json
from pathlib import Path

import click


@click.command("validate", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("path", type=click.Path(path_type=Path), envvar="RAGEVAL_PATH")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(path: Path, *, as_json: bool) -> int:
    """Check PATH; every fault is listed, and 2 is returned if there is any."""
    from rageval_kit.cli.door import USAGE, say
    from rageval_kit.intake import validate

    report = validate(path)
    faults = [str(fault) for fault in report.faults]
    if as_json:
        told = {"path": str(path), "ok": not faults, "faults": faults}
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
    for fault in faults:
        say(f"rageval-kit: {fault}")
    if not faults:
        say(f"{path}: valid")
    return USAGE if faults else 0
