"""What would a run do, and what could it show? Nothing is started, unless a probe is asked for."""

import os
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from rageval_kit.cli.machine import machine
from rageval_kit.cli.streams import put
from rageval_kit.cli.words import read

if TYPE_CHECKING:
    from rageval_kit.build.planning import Request
    from rageval_kit.run.figures import RunPlan


@click.command(
    "plan",
    context_settings={
        "ignore_unknown_options": True,
        "allow_extra_args": True,
        "help_option_names": ["-h", "--help"],
    },
)
@click.option("--figures", is_flag=True, help="Say what the run can show, and with which n.")
@click.option("--probe", is_flag=True, help="With figures: ask a few cases, to tell the time.")
@click.option("--cases-per-s", type=float, default=None, help="With figures: a known rate.")
@click.option("--leak-rate", type=float, default=0.003, show_default=True, help="To stay under.")
@click.option("--confidence", type=float, default=0.95, show_default=True)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="OVERRIDES…")
def command(words: tuple[str, ...], *, figures: bool, **wanted: Any) -> None:
    """Check a run as `run` would and show what it is made of.

    With --figures: how many distinct pairs a leak rate takes, and what this run has of them.
    """
    from rageval_kit.build import requests
    from rageval_kit.cli.plan_lines import plan_lines
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
    figures = figures or wanted["probe"] or wanted["cases_per_s"] is not None
    shown = [_figures(request, wanted) if figures else None for request in made]
    if asked.json:
        machine([_told(request, one) for request, one in zip(made, shown, strict=True)])
        return
    for number, (request, one) in enumerate(zip(made, shown, strict=True), 1):
        mask = request.mask(os.urandom(16))
        if asked.multirun:
            put(f"# run {number} of {len(made)}: {mask.text(' '.join(request.command))}")
        for name, digest in request.config_files:
            put(f"# {name} sha256:{digest[:12]}")
        if one is None:
            put(mask.text(request.resolved_text), end="")
            continue
        for line in plan_lines(one, request.spec.lang):
            put(mask.text(line))


def _figures(request: "Request", wanted: Mapping[str, Any]) -> "RunPlan":
    from rageval_kit.build import plan
    from rageval_kit.run.figures import run_plan
    from rageval_kit.run.prepare import prepare

    return run_plan(prepare(plan(request)), **wanted)


def _told(request: "Request", figures: "RunPlan | None") -> dict[str, object]:
    import yaml

    mask = request.mask(os.urandom(16))
    more = {} if figures is None else {"figures": asdict(figures)}
    return more | {
        "overrides": [mask.text(word) for word in request.command],
        "files": dict(request.config_files),
        "config": mask.structure(yaml.safe_load(request.resolved_text)),
    }
