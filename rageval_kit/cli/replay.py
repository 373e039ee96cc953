"""Does an archived run, or one case of it, come to the same again?"""

from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.root import archived_under


@click.command("replay", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@click.argument("case", metavar="[CASE]", required=False, envvar="RAGEVAL_CASE")
@archived_under
@click.option(
    "-cd",
    "--config-dir",
    type=click.Path(path_type=Path),
    default=None,
    envvar="RAGEVAL_CONFIG_DIR",
    help="The folder of own choices that the run was given.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def command(
    run: str, case: str | None, root: str, config_dir: Path | None, *, as_json: bool
) -> int:
    """Repeat RUN, a run folder or an id, or only CASE of it: 0 the same, 1 differs."""
    from rageval_kit.cli.archived import sealed_folder
    from rageval_kit.cli.progress import LineProgress
    from rageval_kit.cli.streams import say
    from rageval_kit.run.replay import replay

    folder = sealed_folder(run, Path(root))
    progress = LineProgress()
    try:
        report = replay(folder, case, progress, config_dir=config_dir)
    finally:
        progress.finish()
    for difference in report.differences:
        say(f"  {difference}")
    for line in report.varied:
        say(f"  {line}, as chance may bring it")
    say(f"{report.repeated:,} repeated, {len(report.differences):,} came to something else")
    if as_json:
        told = {"repeated": report.repeated, "differences": list(report.differences)}
        told["varied"] = list(report.varied)
        machine(told)
    return 1 if report.differences else 0
