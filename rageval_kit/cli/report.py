"""What did an archived run find, told again from its record alone?"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rageval_kit.cli.root import archived_under
from rageval_kit.cli.streams import put_bytes

if TYPE_CHECKING:
    from rageval_kit.records.decisions import RunRecord
    from rageval_kit.report.words import Lang


_MARKDOWN = (".md", ".markdown")


@click.command("report", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("run", metavar="RUN", envvar="RAGEVAL_RUN")
@archived_under
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "md"]),
    default=None,
    envvar="RAGEVAL_FORMAT",
    help="Form of the page; default: md where the output ends in .md or .markdown, else html.",
)
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    default=None,
    envvar="RAGEVAL_LANG",
    help="Language of the page; default: that of the archived report.",
)
@click.option(
    "--section",
    "sections",
    multiple=True,
    envvar="RAGEVAL_SECTION",
    help="A section to keep; repeat for more. Default: those of the archived report.",
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
    run: str,
    root: str,
    form: str | None,
    lang: "Lang | None",
    sections: tuple[str, ...],
    output: Path | None,
) -> None:
    """Render RUN, a run folder or an id, byte for byte as archived unless something else is asked.

    The archive itself is never written to.
    """
    from rageval_kit.archive.files import as_kit_error, write_atomic
    from rageval_kit.cli.archived import run_record, sealed_folder
    from rageval_kit.report.render import render

    folder = sealed_folder(run, Path(root))
    if output is not None:
        _refuse_inside(output, folder, Path(root))
    record = run_record(folder)
    own_lang, own_sections = _as_archived(record)
    page = render(record, form or _form_of(output), lang or own_lang, sections or own_sections)
    if output is None:
        # Pages are UTF-8 whatever the console is.
        put_bytes(page.encode("utf-8"))
        return
    with as_kit_error(output, "cannot be written"):
        write_atomic(output, page.encode("utf-8"))


def _refuse_inside(output: Path, folder: Path, root: Path) -> None:
    """An archive holds what runs wrote and nothing else: no page beside or inside a run."""
    from rageval_kit.archive.folder import MANIFEST
    from rageval_kit.archive.journal import JOURNAL
    from rageval_kit.records.faults import InputError

    target = output.resolve()
    parents = target.parents
    sealed = any((parent / name).is_file() for parent in parents for name in (MANIFEST, JOURNAL))
    if sealed or folder.resolve() in (target, *parents):
        problem = "lies inside the sealed run"
    elif root.resolve() in (target, *parents):
        problem = "lies inside the archive of runs"
    else:
        return
    raise InputError.one("--output", problem, str(output), "write elsewhere")


def _form_of(output: Path | None) -> str:
    return "md" if output is not None and output.suffix.lower() in _MARKDOWN else "html"


def _as_archived(record: "RunRecord") -> "tuple[Lang, tuple[str, ...]]":
    """Return language and sections of the archived pages, from the configuration of their run."""
    import yaml

    try:
        config: Any = yaml.safe_load(record.config_text)
        chosen = config["report"]
        lang = chosen["lang"] or config["lang"]
        return "zh" if lang == "zh" else "en", tuple(map(str, chosen["sections"]))
    except (yaml.YAMLError, KeyError, TypeError):  # a record without it, from elsewhere
        return "en", ()
