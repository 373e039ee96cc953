"""Which ways in are there beside search? Each is a module of this folder with `show`."""

import pkgutil
from functools import cache
from importlib import import_module

from rageval_kit.records.target import Seen, Stage
from rageval_kit.system.visit import Visit


@cache
def names() -> frozenset[str]:
    """The doors there are (the folder is the registry)."""
    return frozenset(module.name for module in pkgutil.iter_modules(__path__))


def show(door: str, text: str, visit: Visit) -> dict[Stage, Seen]:
    """What the door shows for the text at the tap that it belongs to."""
    shown: dict[Stage, Seen] = import_module(f"{__name__}.{door}").show(text, visit)
    return shown
