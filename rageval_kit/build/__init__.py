"""How do the words of a command line become one checked, frozen plan of a run?

`requests` reads, composes and checks; `plan` builds. Nothing here is imported before it is needed:
the command line must answer `-h` and `--cfg` without what a run needs.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rageval_kit.build.planning import Plan, Request


def requests(
    overrides: Sequence[str],
    *,
    config_dir: Path | None = None,
    config_name: str = "config",
    multirun: bool = False,
) -> "tuple[tuple[Request, ...], tuple[str, ...]]":
    """Return a checked request for each run, and notices about how the words were read."""
    from rageval_kit.build.ask import requests as read

    return read(overrides, config_dir=config_dir, config_name=config_name, multirun=multirun)


def plan(request: "Request") -> "Plan":
    """Build every part of a checked request."""
    from rageval_kit.build.planning import plan as build

    return build(request)


def compose(*overrides: str, config_dir: Path | None = None) -> "Plan":
    """Return the plan of one run, as the command line would make it."""
    (request,), _notices = requests(overrides, config_dir=config_dir)
    return plan(request)
