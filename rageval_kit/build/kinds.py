"""Which implementation does the name of a kind stand for, built in or announced by a package?"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import InputError

# A kind is the name of a module in a folder; nothing that could walk anywhere else is one.
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Registry:
    """The folder `rageval_kit/<group>` is the list; entry points add to it.

    `announced_as`: their group, where it does not have the folder's name.
    """

    group: str
    announced_as: str = ""

    def built_in(self) -> frozenset[str]:
        folder = Path(__file__).resolve().parent.parent / self.group
        return frozenset(
            module.name
            for module in pkgutil.iter_modules([str(folder)])
            if not module.name.startswith("_")
        )

    def names(self) -> frozenset[str]:
        return self.built_in() | self._announced().keys()

    def module(self, kind: object, where: str) -> Any:
        """Return the module of a kind; an unknown one is refused with the nearest known.

        A package may add kinds, not replace one: the report would name what did not run.
        """
        built_in, announced = self.built_in(), self._announced()
        known = built_in | announced.keys()
        if not isinstance(kind, str) or not _NAME.fullmatch(kind) or kind not in known:
            way_out = nearest(str(kind), known)
            raise InputError.one(f"{where}.kind", "is not known here", f"'{kind}'", way_out)
        if kind in built_in and kind in announced:
            way_out = "uninstall that package, or have it choose another name"
            met = announced[kind].value
            raise InputError.one(f"{where}.kind", f"a package replaces '{kind}'", met, way_out)
        try:
            if kind in announced:
                return announced[kind].load()
            return importlib.import_module(f"rageval_kit.{self.group}.{kind}")
        except ImportError as error:
            problem = f"'{kind}' needs a package that is not installed"
            way_out = f"pip install 'rageval-kit[{kind}]', or see rageval-kit doctor"
            raise InputError.one(f"{where}.kind", problem, str(error), way_out) from error

    def _announced(self) -> Mapping[str, EntryPoint]:
        return _entry_points(f"rageval_kit.{self.announced_as or self.group}", tuple(sys.path))


@cache
def _entry_points(group: str, path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    """Read once for each search path: asking looks into every package that is installed."""
    del path
    return {one.name: one for one in entry_points(group=group)}


def config_class(module: Any, kind: str) -> type:
    """Return the dataclass that describes a kind: `Config`, or the one named like the kind."""
    from dataclasses import is_dataclass

    config = getattr(module, "Config", None)
    if isinstance(module, type) and is_dataclass(module):
        return module
    if isinstance(config, type) and is_dataclass(config):
        return config
    wanted = kind.replace("_", "").lower()
    for name in vars(module):
        one = getattr(module, name)
        if isinstance(one, type) and is_dataclass(one) and name.lower() == wanted:
            return one
    raise InputError.one(f"kind '{kind}'", "its module describes no configuration", str(module))
