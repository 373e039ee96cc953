"""Which implementation does the name of a kind stand for, built in or announced by a package?"""

import importlib
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from rageval_kit.build.shape import nearest
from rageval_kit.records.faults import Fault, InputError

# A kind is the name of a module in a folder; nothing that could walk anywhere else is one.
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Registry:
    """The folder `rageval_kit/<group>` is the list; entry points `rageval_kit.<group>` add to it."""

    group: str

    def names(self) -> frozenset[str]:
        folder = Path(__file__).resolve().parent.parent / self.group
        built_in = {
            module.name
            for module in pkgutil.iter_modules([str(folder)])
            if not module.name.startswith("_")
        }
        return frozenset(built_in | {one.name for one in self._announced()})

    def module(self, kind: str, where: str) -> Any:
        """Return the module of a kind; an unknown one is refused with the nearest known."""
        known = self.names()
        if not isinstance(kind, str) or not _NAME.fullmatch(kind) or kind not in known:
            fault = Fault(
                f"{where}.kind", "is not known here", f"'{kind}'", nearest(str(kind), known)
            )
            raise InputError([fault])
        announced = {one.name: one for one in self._announced()}
        try:
            if kind in announced:
                return announced[kind].load()
            return importlib.import_module(f"rageval_kit.{self.group}.{kind}")
        except ImportError as error:
            way_out = f"pip install 'rageval-kit[{kind}]', or see rageval-kit doctor"
            raise InputError.one(
                f"{where}.kind",
                f"'{kind}' needs a package that is not installed",
                str(error),
                way_out,
            ) from error

    def _announced(self) -> tuple[EntryPoint, ...]:
        return tuple(entry_points(group=f"rageval_kit.{self.group}"))


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


def builder(module: Any, config: type) -> Callable[[Any], Any]:
    """Return `build(config)` of a module; where it has none, the configured object is itself."""
    made: Callable[[Any], Any] = getattr(module, "build", None) or (lambda configured: configured)
    del config
    return made
