"""Do the files of a person hold what an evaluation can read?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rageval_kit.cli.machine import machine

if TYPE_CHECKING:
    from rageval_kit.intake.report import Report, RowFault

_PATH = click.Path(path_type=Path)


@click.command("validate", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--snapshot", type=_PATH, envvar="RAGEVAL_SNAPSHOT", help="A snapshot folder.")
@click.option("--directory", type=_PATH, envvar="RAGEVAL_DIRECTORY", help="People and rights.")
@click.option("--samples", type=_PATH, envvar="RAGEVAL_SAMPLES", help="Questions with judgments.")
@click.option("--timezone", envvar="RAGEVAL_TIMEZONE", help="Zone of dates without one.")
@click.option("--drop-invalid", is_flag=True, help="Forgive rows that can be left out, counted.")
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    *,
    snapshot: Path | None,
    directory: Path | None,
    samples: Path | None,
    timezone: str | None,
    drop_invalid: bool,
    as_json: bool,
) -> int:
    """List every fault of the files named; 2 if there is any."""
    from rageval_kit.cli.door import USAGE
    from rageval_kit.cli.streams import say
    from rageval_kit.intake.validate import validate

    if snapshot is None and directory is None and samples is None:
        raise click.UsageError("name a file or folder: --snapshot, --directory or --samples")
    report = validate(snapshot, directory, samples, timezone=timezone, drop_invalid=drop_invalid)
    if as_json:
        machine(_told(report))
    for warning in report.warnings:
        say(f"warning: {warning.fault}")
    for fault in report.faults:
        say(f"rageval-kit: {fault.fault}")
    checked = ", ".join(f"{n:,} {table}" for table, n in report.rows_checked.items())
    say(f"{'valid' if report.ok else f'{len(report.faults):,} faults'}: checked {checked}")
    if report.dropped:
        say(f"left out: {len(report.dropped):,}")
    return 0 if report.ok else USAGE


def _told(report: "Report") -> dict[str, object]:
    return {
        "ok": report.ok,
        "checked": dict(report.rows_checked),
        "faults": [_row(fault) for fault in report.faults],
        "warnings": [_row(fault) for fault in report.warnings],
        "unchecked": list(report.unchecked),
        "dropped": [list(place) for place in report.dropped],
    }


def _row(fault: "RowFault") -> dict[str, object]:
    return {
        "file": fault.file,
        "row": fault.row,
        "column": fault.column,
        "value": fault.value,
        "rule": fault.rule,
        "way_out": fault.way_out,
    }
