"""What did an archived run find, told again from its record alone?"""

import sys
from pathlib import Path

import click


@click.command("report", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@click.option(
    "--root",
    envvar="RAGEVAL_ROOT",
    default="reports/archive",
    show_default=True,
    help="Where runs are archived, for a RUN given by its id.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "md"]),
    default="html",
    envvar="RAGEVAL_FORMAT",
    show_default=True,
    help="Form of the page.",
)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default="en",
    envvar="RAGEVAL_LANG",
    show_default=True,
    help="Language of the page.",
)
@click.option(
    "--section",
    "sections",
    multiple=True,
    envvar="RAGEVAL_SECTION",
    help="A section to keep; repeat for more. Default: all.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    envvar="RAGEVAL_OUTPUT",
    help="File to write; default: standard output.",
)
def command(
    run: str, root: str, form: str, lang: str, sections: tuple[str, ...], output: Path | None
) -> None:
    """Render RUN, a run folder or an id; the archive itself is never written to."""
    from rageval_kit.cli.archived import run_folder, run_record
    from rageval_kit.records.faults import InputError
    from rageval_kit.report import render

    folder = run_folder(run, Path(root))
    if output is not None and output.resolve().is_relative_to(folder.resolve()):
        raise InputError.one(
            "--output", "lies inside the sealed run", str(output), "write elsewhere"
        )
    page = render(run_record(folder), form, "zh" if lang == "zh" else "en", sections)
    if output is None:
        # Pages are UTF-8 whatever the console is.
        sys.stdout.buffer.write(page.encode("utf-8"))
        return
    output.write_text(page, encoding="utf-8", newline="\n")
