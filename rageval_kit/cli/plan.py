"""What would a run do? The checked configuration, with its secrets blanked; nothing is started."""

import os
from typing import TYPE_CHECKING

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put
from rageval_kit.cli.words import read

if TYPE_CHECKING:
    from rageval_kit.build.planning import Request


@click.command(
    "plan",
    context_settings={
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": ["-h", "--help"],
    },
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="OVERRIDES…")
def command(words: tuple[str, ...]) -> None:
    """Check a run as `run` would and show what it is made of."""
    from rageval_kit.build import requests
    from rageval_kit.cli.streams import say

    asked = read(words)
    made, notices = requests(
        asked.overrides,
        config_dir=asked.config_dir,
        config_name=asked.config_name,
        multirun=asked.multirun,
    )
    for notice in notices:
        say(f"rageval-kit: {notice}")
    if asked.json:
        machine([_told(request) for request in made])
        return
    for number, request in enumerate(made, 1):
        mask = request.mask(os.urandom(16))
        if asked.multirun:
            put(f"# run {number} of {len(made)}: {mask.text(' '.join(request.command))}")
        for shown, digest in request.config_files:
            put(f"# {shown} sha256:{digest[:12]}")
        put(mask.text(request.resolved_text), end="")


def _told(request: "Request") -> dict[str, object]:
    import yaml

    mask = request.mask(os.urandom(16))
    return {
        "overrides": [mask.text(word) for word in request.command],
        "files": dict(request.config_files),
        "config": mask.structure(yaml.safe_load(request.resolved_text)),
    }
