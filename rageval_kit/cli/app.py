"""Which subcommands are there? Each stands in a file of its own and is loaded when it is called."""

import importlib

import click

# name -> the line that -h prints, so that -h loads none of them
COMMANDS = {
    "run": "Evaluate; the same as no subcommand. `run --help` lists groups and options.",
    "plan": "Show the checked configuration of a run; nothing is started.",
    "validate": "Check a snapshot folder or a sample file.",
    "snapshot": "Build a fixed, verifiable snapshot from a folder of documents.",
    "reconcile": "Hold an index against its source: missing, orphaned, stale, late.",
    "agreement": "Say how far raters agree: kappa, alpha, AC1, each with its interval.",
    "pool": "Merge the top of several runs into a list of documents to be judged.",
    "score": "Score rankings in files (TREC, CSV, JSONL, Parquet …) by judgments in a file.",
    "suites": "List, show or generate negative suites.",
    "prove": "Show that a suite fails when it should: run it against seeded faults.",
    "verify": "Check an archived run against its manifest and chains.",
    "keygen": "Make a key to sign runs with, or one to read sealed evidence with.",
    "sign": "Sign an archived run, beside those who signed it before.",
    "unseal": "Decrypt the sealed evidence of a run, for one of its recipients.",
    "report": "Render an archived run again.",
    "replay": "Repeat an archived run, or one case of it.",
    "explain": "Explain a metric, or one case of an archived run.",
    "serve": "Serve the embedded system over HTTP, as an example to aim retriever=http at.",
    "serve-model": "Serve a stand-in for a language model, to aim generator=openai at.",
    "doctor": "Show what is installed and what this machine allows.",
    "completion": "Print the completion script of a shell.",
}


class _Lazy(click.Group):
    """A group that imports `rageval_kit.cli.<name>` only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(
            f"rageval_kit.cli.{cmd_name.replace('-', '_')}"
        ).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Subcommands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _parameter: click.Parameter, asked: bool) -> None:  # noqa: FBT001
    if asked:
        from importlib.metadata import version

        click.echo(f"rageval-kit {version('rageval-kit')}")
        ctx.exit(0)


@click.group(
    cls=_Lazy,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    options_metavar="[-h | --version]",
    subcommand_metavar="OVERRIDES… | SUBCOMMAND …",
    epilog=(
        "Start here: rageval-kit +suite=smoke. Exit codes: 0 pass, 1 availability or quality, "
        "2 usage or input, 3 security, 4 evidence incomplete, 5 target or kit failed, "
        "130 interrupted."
    ),
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Version."
)
def app() -> None:
    """Evaluate permissioned retrieval: rageval-kit +suite=acl_negative retriever=hybrid."""
