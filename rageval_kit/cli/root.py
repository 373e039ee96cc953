"""Under which folder does a command look for a run that is given by its id?"""

import click

archived_under = click.option(
    "--root",
    envvar="RAGEVAL_ROOT",
    default="reports/archive",
    show_default=True,
    help="Where runs are archived, for a RUN given by its id.",
)
