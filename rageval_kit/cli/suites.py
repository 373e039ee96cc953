"""Which negative suites and families are there, and what cases do they make?"""

import json
from dataclasses import asdict
from pathlib import Path

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put

_HELP = {"help_option_names": ["-h", "--help"]}


@click.group("suites", context_settings=_HELP)
def command() -> None:
    """List, show or generate negative suites."""


@command.command("list", context_settings=_HELP)
@click.option("--families", is_flag=True, help="Families in place of suites.")
@click.option("--faults", is_flag=True, help="Seeded faults in place of suites.")
@click.option(
    "--config-dir",
    "-cd",
    type=click.Path(path_type=Path),
    default=None,
    envvar="RAGEVAL_CONFIG_DIR",
    help="A folder of your own choices.",
)
@click.option("--json", "as_json", is_flag=True, envvar="RAGEVAL_JSON", help="Machine output.")
def list_(*, families: bool, faults: bool, config_dir: Path | None, as_json: bool) -> None:
    """List the suites that +suite=… can choose."""
    from rageval_kit.build.check import known_families, known_faults
    from rageval_kit.build.choices import choices

    if faults:
        names = sorted(known_faults())
    elif families:
        names = sorted(known_families())
    else:
        names = sorted(choices(config_dir).options("suite"))
    if as_json:
        machine(names)
    else:
        put("\n".join(names))


@command.command("show", context_settings=_HELP)
@click.argument("name")
@click.option(
    "--config-dir",
    "-cd",
    type=click.Path(path_type=Path),
    default=None,
    envvar="RAGEVAL_CONFIG_DIR",
    help="A folder of your own choices.",
)
def show(name: str, config_dir: Path | None) -> None:
    """Show the file of a suite or of a family."""
    from rageval_kit.build.check import known_families
    from rageval_kit.build.choices import choices
    from rageval_kit.build.shape import nearest
    from rageval_kit.records.faults import InputError
    from rageval_kit.resources import tree

    found = choices(config_dir)
    suites, families = found.options("suite"), known_families()
    if name in suites:
        file = found.file(f"suite/{name}")
    elif name in families:
        file = tree("suites") / "families" / f"{name}.yaml"
    else:
        way_out = nearest(name, suites | families)
        raise InputError.one(f"'{name}'", "is no suite and no family", "", way_out)
    if file is None or not file.is_file():
        put(f"{name} is decided in code: it tests the kit, not a target.")
        return
    put(file.read_text(encoding="utf-8"), end="")


@command.command(
    "generate", context_settings={"ignore_unknown_options": True, "allow_extra_args": True, **_HELP}
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="OVERRIDES…")
def generate(words: tuple[str, ...]) -> None:
    """Generate the cases of a run (+suite=…) as JSON lines, without asking the target."""
    from rageval_kit.build import plan, requests
    from rageval_kit.cli.words import read
    from rageval_kit.run.evaluate import cases

    asked = read(words)
    (request, *_rest), _notices = requests(
        asked.overrides, config_dir=asked.config_dir, config_name=asked.config_name
    )
    for case in cases(plan(request)):
        told = {
            "case_id": case.case_id,
            "denied_by": list(case.denied_by),
            "coordinates": asdict(case.coordinates),
        }
        put(json.dumps(told, ensure_ascii=True))
